/// The program itself.
public enum Stickerd {
    /// The version, as shown by packages and `--version`.
    public static let version = "0.5.0"
}
