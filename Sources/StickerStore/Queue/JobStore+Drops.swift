extension JobStore {
    /// The inode of the folder that lay at `drop` when its files were taken in; `nil` before that.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    public func inode(ofDrop drop: String) throws(StoreError) -> UInt64? {
        try read { try $0.note("drop " + drop).flatMap { UInt64($0) } }
    }

    /// Notes that the files of `drop` lie in the folder with this inode.
    ///
    /// - Throws: `StoreError`; the old number stays.
    public func note(inode: UInt64, ofDrop drop: String) throws(StoreError) {
        try write { try $0.setNote("drop " + drop, String(inode)) }
    }
}
