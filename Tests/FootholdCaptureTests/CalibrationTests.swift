import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    @Suite struct CalibrationTests {
        /// Opens a fixture with the calibration given as a file's text.
        private func intrinsics(_ text: String, _ fixture: String = "plain.mp4") throws -> CameraIntrinsics {
            let folder = try TemporaryFolder()
            let options = CaptureOptions(cameraFile: try folder.write(text, "camera.txt"))
            return try #require(try Fixture.open(fixture, options).info.intrinsics)
        }

        private func problem(_ text: String, _ fixture: String = "plain.mp4") throws -> CaptureError {
            let folder = try TemporaryFolder()
            let options = CaptureOptions(cameraFile: try folder.write(text, "camera.txt"))
            return try captureError(opening: Fixture.path(fixture), options)
        }

        private let distortion = CameraIntrinsics.Distortion.radialTangential(
            k1: 0.1, k2: -0.2, p1: 0.01, p2: -0.02, k3: 0.3)

        @Test(arguments: [
            """
            {"width": 160, "height": 120, "fx": 150, "fy": 151, "cx": 80, "cy": 60,
             "distortion_model": "radtan", "k1": 0.1, "k2": -0.2, "p1": 0.01, "p2": -0.02, "k3": 0.3}
            """,
            """
            {"width": "160", "height": "120", "fx": "150", "fy": "1.51e2", "cx": "80", "cy": "60",
             "distortion_model": "radtan", "distortion_coefficients": ["0.1", "-0.2", "0.01", "-0.02", "0.3"]}
            """,
            """
            %YAML:1.0
            ---
            calibration_time: "Sat 01 Jan 2022 12:00:00 PM"
            image_width: 160
            image_height: 120
            camera_matrix: !!opencv-matrix
               rows: 3
               cols: 3
               dt: d
               data: [ 1.5e+02, 0., 80., 0.,
                   151., 60., 0., 0., 1. ]
            distortion_coefficients: !!opencv-matrix
               rows: 5
               cols: 1
               dt: d
               data: [ 0.1, -0.2,
                   0.01, -0.02, 0.3 ]
            """,
            """
            {"image_width": 160, "image_height": 120,
             "camera_matrix": {"type_id": "opencv-matrix", "rows": 3, "cols": 3, "dt": "d",
                               "data": [150, 0, 80, 0, 151, 60, 0, 0, 1]},
             "distortion_coefficients": {"type_id": "opencv-matrix", "rows": 5, "cols": 1, "dt": "d",
                                         "data": [0.1, -0.2, 0.01, -0.02, 0.3]}}
            """,
            """
            {"camera_matrix": [[150, 0, 80], [0, 151, 60], [0, 0, 1]], "dist_coeff": [[0.1, -0.2, 0.01, -0.02, 0.3]]}
            """,
            """
            image_width: 160
            image_height: 120
            camera_name: narrow   # ROS
            camera_matrix:
              rows: 3
              cols: 3
              data:
              - 150
              - 0
              - 80
              - 0
              - 151
              - 60
              - 0
              - 0
              - 1
            distortion_model: plumb_bob
            distortion_coefficients: {rows: 1, cols: 5, data: [0.1, -0.2, 0.01, -0.02, 0.3]}
            """,
        ])
        func everyUsualFormIsRead(text: String) throws {
            let camera = try intrinsics(text)
            #expect((camera.fx, camera.fy, camera.cx, camera.cy) == (150, 151, 80, 60))
            #expect((camera.width, camera.height) == (160, 120))
            #expect(camera.distortion == distortion)
            #expect(camera.source == .calibrated)
        }

        @Test func kalibrsCameraChainIsRead() throws {
            let camera = try intrinsics(
                """
                cam0:
                  cam_overlaps: []
                  camera_model: pinhole
                  distortion_coeffs: [0.01, 0.02, 0.03, 0.04]
                  distortion_model: equidistant
                  intrinsics: [150.0, 151.0, 80.0, 60.0]
                  resolution: [160, 120]
                  rostopic: /cam0/image_raw
                """)
            #expect(camera.fx == 150)
            #expect(camera.distortion == .fisheye(k1: 0.01, k2: 0.02, k3: 0.03, k4: 0.04))
        }

        @Test func anotherSizeOfTheSameShapeIsScaled() throws {
            let camera = try intrinsics(
                #"{"width": 1920, "height": 1440, "fx": 1800, "fy": 1800, "cx": 959.5, "cy": 719.5}"#)
            #expect((camera.width, camera.height) == (160, 120))
            #expect(abs(camera.fx - 150) < 1e-9)
            #expect(abs(camera.cx - 79.5) < 1e-9 && abs(camera.cy - 59.5) < 1e-9)
        }

        @Test func aLevelCalibrationIsTurnedWithTheRecording() throws {
            // The recording is stored as 160×120 and shown turned by 90° clockwise.
            let text = """
                {"width": 160, "height": 120, "fx": 150, "fy": 151, "cx": 85, "cy": 55,
                 "distortion_model": "radtan", "k1": 0.1, "k2": -0.2, "p1": 0.01, "p2": -0.02}
                """
            let level = try intrinsics(text)
            let upright = try intrinsics(text, "portrait.mp4")
            #expect((upright.width, upright.height) == (120, 160))
            // A point is seen at the same stored pixel by both.
            let seen = try #require(level.project(SIMD3(0.3, -0.2, 1)))
            let turned = try #require(upright.project(SIMD3(0.2, 0.3, 1)))
            #expect(abs(turned.x - (119 - seen.y)) < 1e-9)
            #expect(abs(turned.y - seen.x) < 1e-9)
        }

        @Test(arguments: [
            (#"{"width": 160, "height": 120, "fx": -150, "fy": 150, "cx": 80, "cy": 60}"#, "not above zero"),
            (#"{"width": 160, "height": 120, "fx": 150, "fy": 150, "cx": 300, "cy": 60}"#, "outside the picture"),
            (#"{"width": 160, "height": 120, "fx": 150, "fy": 150, "cx": 80}"#, "names no focal length"),
            (#"{"width": 0, "height": 120, "fx": 150, "fy": 150, "cx": 80, "cy": 60}"#, "no sensible picture size"),
            (#"{"width": 160, "height": 120, "fx": 2, "fy": 2, "cx": 80, "cy": 60}"#, "no camera has"),
            (#"{"width": 160, "height": 120, "fx": 150, "fy": 15, "cx": 80, "cy": 60}"#, "do not belong together"),
            (#"{"width": 160, "height": 90, "fx": 150, "fy": 150, "cx": 80, "cy": 45}"#, "another shape"),
            (#"{"width": 160, "height": 120, "fx": 150, "fy": 150, "cx": 80, "cy": 60, "k1": "big"}"#, "k1"),
            (
                #"{"width": 160, "height": 120, "fx": 150, "fy": 150, "cx": 80, "cy": 60, "distortion_model": "fov"}"#,
                "lens model"
            ),
            ("distortion_model: none\nk2: -0.2\nfx: 150\nfy: 150\ncx: 80\ncy: 60\n", "has lens coefficients"),
            (#"{"width": 160, "#, "not valid JSON"), ("", "is empty"), ("nothing of use", "neither JSON nor YAML"),
            ("fx: .nan\nfy: 150\ncx: 80\ncy: 60\n", "no number"),
            ("intrinsics: [150, nan, 80, 60]\n", "no number"),
            ("intrinsics: [150, 150, 80, 60]\ndistortion_coefficients: [.inf, 0, 0, 0]\n", "lens coefficient"),
            (
                "intrinsics: [150, 150, 80, 60]\ndistortion_coefficients: [1, 0, 0, 0, 0, 0.1, 0, 0]\n",
                "8 lens coefficients"
            ),
            (
                "image_width: 160\nimage_height: 120\nintrinsics: [150, 150, 80, 60]\n"
                    + "distortion_coefficients: [50, -900, 0, 0]\n",
                "folds the picture back"
            ),
        ])
        func nonsenseIsRefusedInOneLine(text: String, words: String) throws {
            let error = try problem(text)
            #expect(error.kind == .badCalibration)
            #expect(error.description.contains(words), "\(error)")
            #expect(error.isOneFriendlyLine)
        }

        @Test(arguments: ["", #", "fisheye_model": 1"#])
        func aLensThatIsSaidToBendNothingMayHaveCoefficientsOfZero(more: String) throws {
            let camera = try intrinsics(
                #"{"fx": 150, "fy": 151, "cx": 80, "cy": 60, "distortion_model": "none", "k1": 0, "k2": 0.0\#(more)}"#)
            #expect(camera.distortion == .none)
        }

        @Test func aCalibrationThatIsNotThereIsSaidToBeMissing() throws {
            let error = try captureError(
                opening: Fixture.path("plain.mp4"), CaptureOptions(cameraFile: "/nowhere/c.json"))
            #expect(error.kind == .missingFile)
            #expect(error.description.contains("/nowhere/c.json"))
        }

        @Test func theGivenCalibrationGoesBeforeTheFoldersOwn() throws {
            let folder = try TemporaryFolder()
            try folder.copy("plain.mp4", to: "video.mp4")
            try folder.write("spoiled", "intrinsics.json")
            #expect(try captureError(opening: folder.path).kind == .badCalibration)
            let given = try folder.write(
                #"{"width": 160, "height": 120, "fx": 111, "fy": 111, "cx": 80, "cy": 60}"#, "given.json")
            let source = try FrameSources.open(folder.path, options: CaptureOptions(cameraFile: given))
            #expect(source.info.intrinsics?.fx == 111)
        }
    }

    @Suite struct InertialTests {
        private let header = "t,gx,gy,gz,ax,ay,az\n"

        private func open(_ text: String, required: Bool) throws -> any FrameSource {
            let folder = try TemporaryFolder()
            try folder.copy("plain.mp4", to: "video.mp4")
            let path = try folder.write(text, required ? "given.csv" : "imu.csv")
            return try FrameSources.open(folder.path, options: CaptureOptions(inertialFile: required ? path : nil))
        }

        @Test func givenReadingsAreOnTheFramesClock() throws {
            let source = try open(
                header + "-0.01,1,2,3,0,-9.8,0\n0.0000000015,1,2,3,0,-9.8,0\n1e-2,1,2,3,0,-9.8,0\n", required: true)
            #expect(source.info.inertial.map(\.timestampNanoseconds) == [-10_000_000, 1, 10_000_000])
            #expect(source.info.inertial[0].angularVelocity == SIMD3(1, 2, 3))
            #expect(source.info.inertial[0].acceleration == SIMD3(0, -9.8, 0))
        }

        @Test func columnsAreFoundByName() throws {
            let source = try open("ax,ay,az,gx,gy,gz,t\n0,-9.8,0,1,2,3,0\n0,-9.8,0,1,2,3,0.1\n", required: true)
            #expect(source.info.inertial[1].timestampNanoseconds == 100_000_000)
            #expect(source.info.inertial[1].angularVelocity == SIMD3(1, 2, 3))
        }

        @Test func aFewReadingsThatGoBackAreLeftOutAndReported() throws {
            let rows = (0..<40).map { "\(Double($0 == 20 ? 3 : $0) / 100),0,0,0,0,-9.81,0" }
            let source = try open(header + rows.joined(separator: "\n"), required: true)
            #expect(source.info.inertial.count == 39)
            #expect(source.notices.count == 1)
            #expect(source.notices[0].hasPrefix("1 inertial reading"))
        }

        @Test func readingsThatNoSensorMeasuresAreLeftOutAndReported() throws {
            let rows = (0..<40).map {
                "\(Double($0) / 100),\($0 == 7 ? "1e30" : "0"),0,0,0,\($0 == 9 ? -1e300 : -9.81),0"
            }
            let source = try open(header + rows.joined(separator: "\n"), required: true)
            #expect(source.info.inertial.count == 38)
            #expect(source.notices == ["2 inertial readings are more than any sensor measures and were left out"])
        }

        static let nonsense = [
            ("0,0,0,0,0,-9.8,0\n0,0,0,0,0,-9.8,0\n0,0,0,0,0,-9.8,0\n", "don't move forward"),
            ("2,0,0,0,0,-9.8,0\n1,0,0,0,0,-9.8,0\n", "don't move forward"),
            ("0,30,2,0,0,-9.8,0\n1,40,0,0,0,-9.8,0\n", "degrees"),
            ("0,0,0,0,0,-1e5,0\n1,1e6,0,0,0,-9.8,0\n", "no sensor measures"),
            ("0,1,2,3,0,-9.8,0\n0.1,1,2,nan,0,-9.8,0\n", "line 3"), ("0,1,2,3,0,-9.8\n", "too few numbers in line 2"),
            ("2309999000,0,0,0,0,-9.8,0\n2310000000,0,0,0,0,-9.8,0\n", "not nanoseconds"),
            ("", "no inertial readings"), ("0,0,0,0,0,-1,0\n0.1,0,0,0,0,-1,0\n", "multiples of g"),
            ("0,0,0,0,0,-9.8,0\n0.2,0,0,0,0,-9.8,0\n0.1,0,0,0,0,-9.8,0\n", "jump back"),
            ("100,0,0,0,0,-9.8,0\n101,0,0,0,0,-9.8,0\n", "not from the time"),
        ]

        @Test(arguments: nonsense)
        func nonsenseIsRefusedInOneLine(text: String, words: String) throws {
            let error = try #require(throws: CaptureError.self) { _ = try open(header + text, required: true) }
            #expect(error.kind == .badInertial)
            #expect(error.description.contains(words), "\(error)")
            #expect(error.isOneFriendlyLine)
        }

        @Test(arguments: nonsense)
        func nonsenseThatMerelyLiesThereIsLeftOutWithANotice(text: String, words: String) throws {
            let source = try open(header + text, required: false)
            #expect(source.info.inertial.isEmpty)
            #expect(source.notices.count == 1)
            #expect(source.notices[0].contains(words))
            #expect(try source.allFrames().count == 12)
        }

        @Test func aFolderThatMerelyLiesThereIsLeftOutWithANotice() throws {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: Fixture.path("plain.mp4"), toPath: folder.file("video.mp4"))
            try folder.write("not a file of readings", "imu.csv/notes")
            let source = try FrameSources.open(folder.path)
            #expect(source.info.inertial.isEmpty)
            #expect(source.notices.count == 1 && source.notices[0].contains("imu.csv"))
        }

        @Test(arguments: [
            (#"{"camera_from_imu": [1, 0, 0, 0, 2, 0, 0, 0, 1]}"#, "camera_from_imu"),
            (#"{"time_offset_s": "late"}"#, "time_offset_s"),
            (#"{"camera_from_imu": [[1, 0, 0, 0, 1], [0, 0, 0, 1]]}"#, "camera_from_imu"),
            (#"{"gyro_noise_density": -0.1}"#, "gyro_noise_density"),
            (#"{"accel_noise_density": 1e30}"#, "accel_noise_density"),
            (#"{"accel_bias_walk": "small"}"#, "accel_bias_walk"),
            ("[1, 2]", "object"),
        ])
        func aSensorThatMakesNoSenseIsRefused(json: String, words: String) throws {
            let folder = try TemporaryFolder()
            let path = try folder.write(header + "0,0,0,0,0,-9.8,0\n0.1,0,0,0,0,-9.8,0\n", "readings.csv")
            try folder.write(json, "imu.json")
            let error = try captureError(opening: Fixture.path("plain.mp4"), CaptureOptions(inertialFile: path))
            #expect(error.kind == .badInertial)
            #expect(error.description.contains(words))
            #expect(error.isOneFriendlyLine)
        }

        @Test func aSensorOfWhichLittleIsKnownIsTaken() throws {
            let folder = try TemporaryFolder()
            let path = try folder.write(header + "0,0,0,0,0,-9.8,0\n0.1,0,0,0,0,-9.8,0\n", "readings.csv")
            try folder.write(
                #"{"gyro_noise_density": 0.001, "time_offset_s": null, "camera_from_imu": null}"#, "imu.json")
            let source = try FrameSources.open(
                Fixture.path("plain.mp4"), options: CaptureOptions(inertialFile: path))
            #expect(source.info.inertial.count == 2)
        }
    }
}
