import Foothold
import Testing

@Suite struct PlacementRequestTests {
    @Test func readsPixelsAndTime() throws {
        let request = try PlacementRequest(parsing: "chair@320,240.5@3.25")
        #expect(request == PlacementRequest(name: "chair", location: .pixel(SIMD2(320, 240.5)), seconds: 3.25))
    }

    @Test func withoutATimeTheTapComesAtOnce() throws {
        #expect(try PlacementRequest(parsing: "box@10,20").seconds == 0)
    }

    @Test func sharesOfThePictureHaveADecimalPoint() throws {
        #expect(try PlacementRequest(parsing: "box@0.5,0.25").location == .fraction(SIMD2(0.5, 0.25)))
        #expect(try PlacementRequest(parsing: "box@1,1").location == .pixel(SIMD2(1, 1)))
        #expect(try PlacementRequest(parsing: "box@0.5,300").location == .pixel(SIMD2(0.5, 300)))
    }

    @Test func theMiddleOfThePictureLiesBetweenItsMiddlePixels() {
        let middle = PlacementRequest.Location.fraction(SIMD2(0.5, 0.5)).pixel(width: 640, height: 480)
        #expect(middle == SIMD2(319.5, 239.5))
    }

    @Test func aFileNameMayHoldTheSeparator() throws {
        let request = try PlacementRequest(parsing: "toys/lamp@2x.glb@100,50@1")
        #expect(request.name == "toys/lamp@2x.glb")
        #expect(request.seconds == 1)
    }

    @Test(arguments: [
        "chair", "chair@", "chair@10", "chair@10,20@-1", "@10,20", "chair@a,b", "chair@10,20,30", "chair@nan,1",
    ])
    func refusesWhatItCannotRead(text: String) {
        #expect(throws: UsageError.self) { try PlacementRequest(parsing: text) }
    }
}
