import Foundation
import StickerConfiguration
import StickerValues
import Testing

struct ComposeConfigurationTests {
    private func origins(_ text: String) throws -> [String] {
        let json = #"{"web": {"compose": {"origins": ["\#(text)"]}}}"#
        return try Configuration(json: Data(json.utf8)).web.compose.origins
    }

    @Test func nobodyEmbedsThePageUnlessSomebodySaysSo() {
        #expect(WebConfiguration().compose.origins.isEmpty)
    }

    @Test(arguments: [
        "https://app.example.org", "https://example.org:8443", "https://192.0.2.7",
        "https://app-2.io",
        "http://localhost", "http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:8000",
        "https://[2001:db8::1]",
    ])
    func originIsTakenAsItStands(text: String) throws {
        #expect(try origins(text) == [text])
    }

    @Test(arguments: [
        "", "*", "null", "app.example.org", "https://", "https://app.example.org/",
        "https://app.example.org/embed", "https://*.example.org", "https://App.example.org",
        "https://user@example.org", "https://example.org?", "https://example.org#", "https://a b",
        "https://example.org:0", "https://example.org:65536", "https://example.org:443",
        "http://localhost:80", "http://example.org", "http://192.0.2.7",
        "http://localhost.evil.org",
        "https://example..org", "https://-a.org", "https://example.org;script-src", "file:///",
        "https://example.org https://other.org", "capacitor://localhost",
    ])
    func anythingElseIsAFault(text: String) throws {
        let error = #expect(throws: ConfigurationError.self) { _ = try origins(text) }

        #expect(error?.faults.map(\.path) == ["web.compose.origins"])
        #expect(error?.faults.first?.message.contains("https://app.example.org") == true)
    }
}
