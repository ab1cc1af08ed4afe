import Foundation
import StickerSmart
import StickerValues
import Testing

// Within the other suite, so that only one test draws at a time.
extension TextDrawingTests {
    /// The smart stickers that come with stickerd, measured in their pixels; one is two points of a drawing wide.
    struct ShippedArtTests {
        // MARK: All of them

        /// Languages that Inter can write.
        private static let locales = ["en_US", "de", "es_MX", "pt", "ru", "el", "vi", "tr"]
        /// With a long weekday and month, and with short ones.
        private static let instants = ["2026-09-30T23:59:00Z", "2026-05-01T01:11:00Z"]

        /// The white border begins 16 points from the edge of the canvas.
        @Test func nothingIsCutOffAndBrowsersDrawThemAlike() throws {
            for art in try ArtTemplate.all() {
                for (style, svg) in try drawings(of: art) {
                    let drawn = try DrawnTemplate(svg)
                    let (isClear, warnings) = (drawn.isClear(within: 6), drawn.warnings)

                    #expect(isClear, "\(art.name), \(style)")
                    #expect(warnings == [], "\(art.name), \(style)")
                }
            }
        }

        /// Each one once.
        private func drawings(of art: ArtTemplate) throws -> [(style: String, svg: [UInt8])] {
            let fillings = try moments(of: art).map { TemplateFilling(art.template, at: $0) }
            var seen: Set<[UInt8]> = []
            return fillings.flatMap(\.drawings).compactMap { style, svg in
                seen.insert(svg).inserted ? (style ?? "", svg) : nil
            }
        }

        private func moments(of art: ArtTemplate) throws -> [SmartMoment] {
            let dates = try Self.instants.map { try Date($0, strategy: .iso8601) }
            if art.template.needsWeather {
                let place = try SmartPlace(locale: "de", timeZone: "UTC")
                return Weather.Condition.allCases.flatMap { condition in
                    [233.15, 373.15].map { kelvin in
                        let weather = Weather(kelvin: kelvin, condition: condition)
                        return SmartMoment(dates[0], at: place, weather: weather)
                    }
                }
            }
            if art.template.placeholders.contains(.hourAngle) {
                let place = try SmartPlace(locale: "en_US", timeZone: "UTC")
                return (0..<12).map { SmartMoment(dates[0] + Double($0) * 3900, at: place) }
            }
            return try Self.locales.flatMap { locale in
                let place = try SmartPlace(locale: locale, timeZone: "UTC")
                return dates.map { SmartMoment($0, at: place) }
            }
        }

        // MARK: Weather

        /// Under the number, and 4 points around it, is no drop, no bolt and no needle: at most one colour besides the
        /// white border and the sky.
        @Test func numbersTouchNoArt() throws {
            for art in try ArtTemplate.all() where art.template.needsWeather {
                for style in art.template.styles {
                    for values in Self.weathers(of: art) {
                        let colors = try colors(underTheNumberOf: art, style, values)

                        #expect(colors.count <= 1, "\(art.name), \(style), \(values)")
                    }
                }
            }
        }

        private func colors(
            underTheNumberOf art: ArtTemplate, _ style: String, _ values: [Placeholder: String]
        ) throws -> Set<SIMD4<UInt8>> {
            var silent = values
            (silent[.temperature], silent[.temperatureUnit]) = (nil, nil)
            let bare = try art.draw(style, silent)
            let number = try art.draw(style, values).difference(from: bare)
            #expect(number.count > 500, "\(art.name), \(style) has no number")
            var under = DrawnTemplate.grown(number, by: 2).filter { !bare.pixels[$0].isBorder }
            if values[.condition] != nil {
                let icon =
                    /<use href="#[a-z]+-(?:clear|clouds|rain|drizzle|thunderstorm|snow|mist)"[^>]*>/
                under.formIntersection(
                    try art.draw(style, silent, without: icon).difference(from: bare))
            }
            return Set(under.map { bare.pixels[$0] })
        }

        private static func weathers(of art: ArtTemplate) -> [[Placeholder: String]] {
            let showsCondition = art.template.placeholders.contains(.condition)
            let conditions: [String?] = Weather.Condition.allCases.map(\.rawValue)
            return (showsCondition ? conditions : [nil]).flatMap { condition in
                [("-40°", "0"), ("104°", "100")].map { text, level in
                    var values: [Placeholder: String] = [
                        .temperature: text, .temperatureUnit: "C", .temperatureLevel: level,
                    ]
                    values[.condition] = condition
                    return values
                }
            }
        }

        /// Yellow parts (the sun, the moon and the bolt) do not touch a white cloud.
        @Test func cloudsHaveAnOutlineBeforeTheSun() throws {
            let art = try #require(try ArtTemplate.named("weather-cloud"))
            for style in art.template.styles {
                for condition in [Weather.Condition.clear, .clouds, .thunderstorm] {
                    let drawn = try art.draw(style, [.condition: condition.rawValue])
                    let yellow = drawn.pixels.indices.filter {
                        let color = drawn.pixels[$0]
                        return color.w == 255 && color.x > 240 && color.z < 120
                    }

                    let around = DrawnTemplate.grown(Set(yellow), by: 2)

                    #expect(yellow.count > 300, "\(style), \(condition)")
                    #expect(
                        around.allSatisfy { !drawn.pixels[$0].isBorder }, "\(style), \(condition)")
                }
            }
        }

        // MARK: Clock

        /// Each hand in each of the twelve directions.
        private static let times = (0..<12).map { (hour: $0, minute: ($0 * 25 + 10) % 60) }
        private static let more = [(8, 0), (12, 0), (12, 30), (9, 45), (3, 15)]
            .map { (hour: $0, minute: $1) }

        /// The angles of the hands, in degrees.
        private static func angles(_ time: (hour: Int, minute: Int)) -> (Double, Double) {
            (Double(time.hour % 12 * 60 + time.minute) / 2, Double(time.minute * 6))
        }

        private static func values(_ time: (hour: Int, minute: Int)) -> [Placeholder: String] {
            let (hour, minute) = angles(time)
            return [.hourAngle: "\(hour)", .minuteAngle: "\(minute)"]
        }

        @Test func handsHideNoNumeral() throws {
            let clock = try #require(try ArtTemplate.named("clock"))
            for style in clock.template.styles {
                let numerals = try (Self.times + Self.more).map { time in
                    let drawn = try clock.draw(style, Self.values(time))
                    let blank = try clock.draw(
                        style, Self.values(time), without: /<text[^>]*>[^<]*<\/text>/)
                    let shown = drawn.difference(from: blank)
                    let contrasts = shown.map { drawn.pixels[$0].contrast(to: blank.pixels[$0]) }
                    // Lines are so thin that only a part of the pixels has their colour alone.
                    let best = contrasts.sorted().suffix(max(1, contrasts.count / 4)).first
                    #expect(best ?? 21 >= 4.5, "\(style), \(time)")
                    return shown
                }

                #expect(numerals.allSatisfy { $0 == numerals[0] }, "\(style)")
                #expect(numerals[0].count > 500 || style == "pop", "\(style) has no numerals")
            }
        }

        @Test func handsAreSeenOnTheFace() throws {
            let clock = try #require(try ArtTemplate.named("clock"))
            for style in clock.template.styles {
                let drawn = try Self.times.map { try clock.draw(style, Self.values($0)) }
                for (time, picture) in zip(Self.times, drawn) {
                    let (hour, minute) = Self.angles(time)
                    // Beyond the end of the hour hand, only the other one is seen.
                    for (angle, radius) in [(hour, 27.0), (minute, 52)] {
                        let place = Self.place(angle, radius)
                        let contrast = DrawnTemplate.grown([place], by: 3).map {
                            picture.pixels[$0].contrast(to: Self.usual($0, drawn))
                        }.max()
                        #expect(contrast ?? 0 >= 3, "\(style), \(time), at \(radius)")
                    }
                }
            }
        }

        /// The index of a pixel, clockwise from noon.
        private static func place(_ degrees: Double, _ radius: Double) -> Int {
            let (angle, middle) = (degrees * .pi / 180, Double(DrawnTemplate.side / 2))
            let x = Int(middle + radius * sin(angle))
            return Int(middle - radius * cos(angle)) * DrawnTemplate.side + x
        }

        /// The face, as hands cover a pixel in few of the pictures.
        private static func usual(_ index: Int, _ pictures: [DrawnTemplate]) -> SIMD4<UInt8> {
            let counts = Dictionary(grouping: pictures.map { $0.pixels[index] }) { $0 }
            return counts.max { $0.value.count < $1.value.count }?.key ?? .zero
        }
    }
}
