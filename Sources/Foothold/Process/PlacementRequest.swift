import FootholdPlacement

/// A tap that is known beforehand: what to put, where in the picture, and when (`NAME@X,Y[@SECONDS]`).
public struct PlacementRequest: Hashable, Sendable {
    /// A point of the upright picture.
    public enum Location: Hashable, Sendable {
        /// Pixels; (0, 0) is the centre of the top-left pixel.
        case pixel(SIMD2<Double>)
        /// Shares of the width and the height: (0.5, 0.5) is the middle.
        case fraction(SIMD2<Double>)

        /// The pixel in a picture of this size.
        public func pixel(width: Int, height: Int) -> SIMD2<Double> {
            switch self {
            case .pixel(let point): point
            case .fraction(let share): share * SIMD2(Double(width), Double(height)) - SIMD2(0.5, 0.5)
            }
        }
    }

    /// `box`, `chair`, `cylinder`, or the path of a glTF or OBJ file.
    public var name: String
    public var location: Location
    /// The tap comes with the first frame at or after this time.
    public var seconds: Double

    public init(name: String, location: Location, seconds: Double = 0) {
        self.name = name
        self.location = location
        self.seconds = seconds
    }

    /// Reads `NAME@X,Y[@SECONDS]`.
    ///
    /// X and Y are pixels, or shares of the picture when both lie within 0…1 and one has a decimal point (`0.5,0.5`).
    /// Without SECONDS the tap comes with the first frame. NAME may hold `@`.
    /// - Throws: `UsageError` when the text has another form.
    public init(parsing text: String) throws(UsageError) {
        var parts = text.split(separator: "@", omittingEmptySubsequences: false)
        var seconds = 0.0
        if parts.count > 2, let value = Double(parts[parts.count - 1]) {
            guard (0...1e6).contains(value) else {
                throw UsageError("--place \(ShownText.name(text)): the time must be 0 to a million seconds")
            }
            seconds = value
            parts.removeLast()
        }
        guard parts.count > 1, let location = Location(parsing: parts[parts.count - 1]) else {
            throw UsageError(
                "--place \(ShownText.name(text)): write NAME@X,Y or NAME@X,Y@SECONDS, such as chair@320,240@3")
        }
        let name = parts.dropLast().joined(separator: "@")
        guard !name.isEmpty else {
            throw UsageError(
                "--place \(ShownText.name(text)): say what to place in front of the first @, such as chair@320,240")
        }
        self.init(name: name, location: location, seconds: seconds)
    }
}

extension PlacementRequest.Location {
    init?(parsing text: Substring) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, let x = Double(numbers[0]), let y = Double(numbers[1]), x.isFinite, y.isFinite else {
            return nil
        }
        let point = SIMD2(x, y)
        let isFraction = (0...1).contains(x) && (0...1).contains(y) && text.contains(".")
        self = isFraction ? .fraction(point) : .pixel(point)
    }
}
