/// The program itself.
public enum Stickerd {
    /// The version, as packages and `--version` tell it.
    public static let version = "0.4.0"
}
