import FoundationEssentials
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// The keys of `smart` that concern the stickers of stickerd and the weather.
struct SmartConfigurationTests {
    private func faults(_ json: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try StickerConfiguration.Configuration(json: Data(json.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private func weather(_ members: String) -> [String] {
        faults(#"{ "smart": { "weather": { \#(members) } } }"#)
    }

    @Test func valuesAreRead() throws {
        let json = """
            { "smart": { "enabled": true, "locale": "de", "weather": { "latitude": 52.5177,
                "longitude": -13.4, "keyFile": "key", "intervalMinutes": 30,
                "url": "https://pro.openweathermap.org/data/2.5/weather" } } }
            """
        let configuration = try StickerConfiguration.Configuration(json: Data(json.utf8))

        #expect(configuration.smart.enabled && configuration.sticker.smart.locale == "de")
        let weather = configuration.smart.weather
        #expect(weather.place?.latitudeText == "52.52" && weather.place?.longitudeText == "-13.40")
        #expect(weather.keyFile == "key" && weather.intervalMinutes == 30)
        #expect(configuration.settings["smart.weather.latitude"] == "52.5177")
        #expect(StickerConfiguration.Configuration().settings["smart.weather.latitude"] == "-")
    }

    @Test func placeHasBothOrNeither() {
        #expect(weather(#""latitude": 1"#).first?.contains("smart.weather.longitude") == true)
        #expect(weather(#""longitude": 1"#).first?.contains("smart.weather.latitude") == true)
        let wrong = weather(#""latitude": 91, "longitude": 1"#)
        #expect(wrong.count == 1 && wrong[0].contains("-90 to 90"))
        #expect(weather(#""latitude": null, "longitude": null"#).isEmpty)
    }

    @Test(arguments: [
        "http://api.openweathermap.org/data", "ftp://localhost/", "https://", "https:///x",
        "https://a.example/?x=1", "https://me@a.example/", "http://localhost.example.org/",
        "http://127.0.0.1.example.org/", "https://a.example/#x", "HTTPS://a.example/",
    ]) func keyTravelsHiddenFromOthersAlone(_ url: String) {
        #expect(weather(#""url": "\#(url)""#).count == 1, "\(url)")
    }

    @Test(arguments: [
        "", "https://a.example/data", "http://localhost:8080/x", "http://127.0.0.1/x",
        "http://[::1]:80/",
    ]) func addressesAreTaken(_ url: String) {
        #expect(weather(#""url": "\#(url)""#).isEmpty, "\(url)")
    }

    @Test func categoryHasNoWeatherOfItsOwn() {
        let found = faults(#"{ "categories": { "cats": { "smart": { "enabled": true } } } }"#)

        #expect(found.first?.contains("categories.cats.smart.enabled: unknown key") == true)
    }

    @Test func nameOfStickerdsFolderIsTaken() {
        let found = faults(#"{ "drops": [{ "path": "x", "name": "stickerd-smart" }] }"#)

        #expect(found.first?.contains("set smart.enabled") == true)
    }

    @Test func keyIsThatOfTheCredentialOrOfTheFile() throws {
        let folder = try TemporaryFolder()
        var weather = WeatherConfiguration()
        #expect(try weather.key(credentials: nil) == nil)
        #expect(try weather.key(credentials: folder.path) == nil)
        weather.keyFile = try folder.write(Array("# mine\n\nabc # of Ada\n".utf8), to: "file")
        #expect(try weather.key(credentials: folder.path) == "abc")
        try folder.write(Array("def".utf8), to: "weather.key")
        #expect(try weather.key(credentials: folder.path) == "def")
        try folder.write(Array("# nothing\n".utf8), to: "weather.key")
        #expect(throws: ConfigurationError.self) { try weather.key(credentials: folder.path) }
        try folder.write(Array("a b".utf8), to: "weather.key")
        #expect(throws: ConfigurationError.self) { try weather.key(credentials: folder.path) }
    }
}
