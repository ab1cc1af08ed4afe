/// The second bytes of the markers that matter here (ITU T.81, table B.1).
package enum JPEGMarker {
    package static let sof0: UInt8 = 0xC0
    package static let sof2: UInt8 = 0xC2
    package static let dht: UInt8 = 0xC4
    package static let jpg: UInt8 = 0xC8
    package static let dac: UInt8 = 0xCC
    package static let soi: UInt8 = 0xD8
    package static let eoi: UInt8 = 0xD9
    package static let sos: UInt8 = 0xDA
    package static let app0: UInt8 = 0xE0
    package static let app1: UInt8 = 0xE1
    package static let app2: UInt8 = 0xE2
    package static let app14: UInt8 = 0xEE

    package static func isRestart(_ code: UInt8) -> Bool { (0xD0...0xD7).contains(code) }

    package static func isFrame(_ code: UInt8) -> Bool {
        (0xC0...0xCF).contains(code) && code != dht && code != jpg && code != dac
    }

    package static func hasLength(_ code: UInt8) -> Bool {
        code != 0x01 && !isRestart(code) && code != soi && code != eoi
    }
}
