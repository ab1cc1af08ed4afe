import FoundationEssentials
import Glibc

/// `stickerd-demo pictures FOLDER` draws pictures to drop.
@main
struct Demo {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("pictures", 2):
            for picture in try DemoPictures().all {
                try write(picture.bytes, "\(arguments[2])/\(picture.name)")
            }
        default:
            let usage = Array("usage: stickerd-demo pictures FOLDER\n".utf8)
            _ = Glibc.write(2, usage, usage.count)
            exit(2)
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}
