/// Which Foothold this is.
public enum FootholdVersion {
    /// Semantic version.
    public static let current = "0.1.0"
}
