/// A place on earth, to a hundredth of a degree, about a kilometre: exact enough for weather, and no one's address.
public struct WeatherPlace: Hashable, Sendable {
    /// Degrees north of the equator, times 100.
    private let north: Int
    /// Degrees east of Greenwich, times 100.
    private let east: Int

    /// Rounds a place.
    ///
    /// - Parameters:
    ///   - latitude: -90...90 degrees.
    ///   - longitude: -180...180 degrees.
    public init(latitude: Double, longitude: Double) {
        north = Int((latitude * 100).rounded())
        east = Int((longitude * 100).rounded())
    }

    /// Degrees north of the equator.
    public var latitude: Double { Double(north) / 100 }
    /// Degrees east of Greenwich.
    public var longitude: Double { Double(east) / 100 }

    /// `latitude` for addresses: `-0.05`, never with an exponent.
    public var latitudeText: String { Self.text(north) }
    /// `longitude` for addresses.
    public var longitudeText: String { Self.text(east) }

    private static func text(_ hundredths: Int) -> String {
        let (whole, part) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        return "\(hundredths < 0 ? "-" : "")\(whole).\(part < 10 ? "0" : "")\(part)"
    }
}
