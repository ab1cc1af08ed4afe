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
        let shown = names.compactMap { target(of: element.value($0)) }
        guard element.name == "use" || element.name == "feImage" else { return shown }
        return shown + (element.reference.flatMap { named[$0] }.map { [$0] } ?? [])
    }
}
