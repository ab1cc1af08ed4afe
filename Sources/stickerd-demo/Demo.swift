import FoundationEssentials
import Glibc

/// `stickerd-demo pictures FOLDER` draws pictures to drop; `stickerd-demo sheet OUT FILE` shows what
/// became of them on one PNG.
@main
struct Demo {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("pictures", 2):
            for picture in try DemoPictures().all {
                try write(picture.bytes, "\(arguments[2])/\(picture.name)")
            }
        case ("sheet", 3):
            try write(Sheet(out: arguments[2]).png(), arguments[3])
        default:
            let usage = Array("usage: stickerd-demo pictures FOLDER | sheet OUT FILE\n".utf8)
            _ = Glibc.write(2, usage, usage.count)
            exit(2)
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}
