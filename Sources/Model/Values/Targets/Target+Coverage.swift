extension Target {
    /// Whether every file within these rules is also within those of `other`.
    ///
    /// - Parameters:
    ///   - other: the other rules.
    ///   - moves: whether moving files are compared.
    /// - Returns: also false if either accepts no such files.
    public func covers(_ other: Target, moves: Bool) -> Bool {
        guard canvas.covers(other.canvas) else { return false }
        if moves { return moving.flatMap { own in other.moving.map(own.covers) } ?? false }
        return still.flatMap { own in other.still.map(own.covers) } ?? false
    }
}

extension TargetCanvas {
    /// Whether every canvas by these rules is one by those of `other`.
    fileprivate func covers(_ other: TargetCanvas) -> Bool {
        guard self != other else { return true }
        guard fit == .exact, marginPixels >= other.marginPixels else { return false }
        switch other.fit {
        case .exact: return width == other.width && height == other.height
        case .within:
            return width <= other.width && height <= other.height
                && width.isMultiple(of: other.sideMultiple)
                && height.isMultiple(of: other.sideMultiple)
        case .touch:
            return width == other.width && height <= other.height
                || height == other.height && width <= other.width
        }
    }
}

extension StillRules {
    fileprivate func covers(_ other: StillRules) -> Bool {
        Set(forms.map(\.format)).isSubset(of: other.forms.map(\.format))
            && bytesMax <= other.bytesMax
    }
}

extension MovingRules {
    fileprivate func covers(_ other: MovingRules) -> Bool {
        Set(forms).isSubset(of: other.forms) && bytesMax <= other.bytesMax
            && Self.isWithin(framesMax, other.framesMax)
            && Self.isWithin(millisecondsMax, other.millisecondsMax)
            && frameMillisecondsMin >= other.frameMillisecondsMin
            && (other.loopCount == nil || loopCount == other.loopCount)
    }

    /// For limits where 0 stands for none.
    private static func isWithin(_ limit: Int, _ other: Int) -> Bool {
        other == 0 || 1...other ~= limit
    }
}
