extension SVGRewriting {
    /// Finds elements that contain or show themselves, by repeatedly removing those that contain and show no other.
    func noteCircles() {
        var users: [ObjectIdentifier: [SVGElement]] = [:]
        var counts: [ObjectIdentifier: Int] = [:]
        var open: [SVGElement] = []
        let all = elements
        let present = Set(all.map { ObjectIdentifier($0) })
        for element in all {
            let shown =
                element.elements
                + shown(by: element).filter { present.contains(ObjectIdentifier($0)) }
            counts[ObjectIdentifier(element)] = shown.count
            for other in shown { users[ObjectIdentifier(other), default: []].append(element) }
            if shown.isEmpty { open.append(element) }
        }
        var left = counts.count
        while let next = open.popLast() {
            left -= 1
            for user in users[ObjectIdentifier(next)] ?? [] {
                counts[ObjectIdentifier(user), default: 0] -= 1
                if counts[ObjectIdentifier(user)] == 0 { open.append(user) }
            }
        }
        if left > 0 { note(.differs, "elements that show themselves") }
    }

    private func shown(by element: SVGElement) -> [SVGElement] {
        let names = [
            "fill", "stroke", "mask", "clip-path", "filter", "marker", "marker-start",
            "marker-mid", "marker-end",
        ]
        var ids = names.compactMap { element.value($0)?.first?.token(.url)?.value }
        if element.name == "use" || element.name == "feImage" { ids += [element.href ?? ""] }
        return ids.filter { $0.hasPrefix("#") }.compactMap { named[String($0.dropFirst())] }
    }
}
