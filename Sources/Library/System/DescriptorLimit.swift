import Glibc

/// How many descriptors this process may have open.
public enum DescriptorLimit {
    /// Raises the limit to the user's maximum; if it cannot be raised, the current one applies.
    ///
    /// - Returns: the number of descriptors.
    @discardableResult
    public static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        _ = getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
