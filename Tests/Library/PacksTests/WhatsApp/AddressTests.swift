import Testing

@testable import StickerPacks

struct WebLinkTests {
    @Test(
        arguments: [
            ("http://example.org", "example.org"), ("HTTPS://example.org/a?b#c", "example.org"),
            ("https://Example.org:443/", "Example.org"),
            ("https://jo:x@example.org", "example.org"),
            ("https://example.org:", "example.org"), ("http://[::1]:80/", "[::1]"),
            ("https://example.org?a@b:c", "example.org"),
        ]) func addressHasAHost(text: String, host: String)
    {
        #expect(WebLink(text)?.host == host)
    }

    @Test(
        arguments: [
            "", "example.org", "//example.org", "ftp://example.org", "https:/example.org",
            "https://", "https:///path", "https://example.org:x", "https://example.org:-1",
            "https://example.org:70000", " https://example.org", "https://exam ple.org",
            "https://example.org\n", "market://details?id=a",
        ]) func otherTextsAreRefused(text: String)
    {
        #expect(WebLink(text) == nil)
    }
}

struct EmailAddressTests {
    @Test(
        arguments: [
            "jo@example.org", "a+b.c_d%e-f@x1-y.example.org", ".@a.b", "1@2.3",
            String(repeating: "a", count: 256) + "@" + String(repeating: "b", count: 65) + "."
                + String(repeating: "c", count: 26),
        ]) func addressesOfAndroidAreAccepted(text: String)
    {
        #expect(EmailAddress.isAccepted(text))
    }

    @Test(
        arguments: [
            "", "jo", "@example.org", "jo@", "jo@example", "jo@@example.org", "jo@example..org",
            "jo@-example.org", "jo@example.org.", "jö@example.org", "jo@exämple.org",
            "jo smith@example.org", "jo@exam_ple.org",
            String(repeating: "a", count: 257) + "@b.c",
            "a@" + String(repeating: "b", count: 66) + ".c",
            "a@b." + String(repeating: "c", count: 27),
        ]) func otherTextsAreRefused(text: String)
    {
        #expect(!EmailAddress.isAccepted(text))
    }
}
