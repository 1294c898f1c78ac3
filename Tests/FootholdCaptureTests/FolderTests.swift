import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    @Suite struct FolderTests {
        private func close(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double = 1e-6) -> Bool {
            a.distance(to: b) < tolerance
        }

        @Test func picturesAreReadInNaturalOrderAtThirtyFramesASecond() throws {
            let folder = try TemporaryFolder()
            try folder.copy("picture1.png", to: "shot9.png")
            try folder.copy("picture2.png", to: "shot10.png")
            try folder.copy("picture3.png", to: "shot0011.PNG")
            try folder.write("no picture", "notes.txt")
            let source = try FrameSources.open(folder.path)
            #expect(source.info.kind == .imageFolder)
            #expect(source.info.estimatedFrameCount == 3)
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [0, 1, 2])
            #expect(frames.milliseconds == [0, 33.3, 66.7])
            #expect(frames.allSatisfy { $0.pixels.format == .yuv420p && showsQuarters($0.pixels) })
            #expect(source.notices.isEmpty)
        }

        @Test func greyPicturesAreHandedOverWithoutACopy() throws {
            let folder = try TemporaryFolder()
            for name in ["gray1.png", "gray2.png"] { try folder.copy(name, to: name) }
            let source = try #require(try FrameSources.open(folder.path) as? ImageFolderSource)
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [0, 1])
            #expect(
                frames.allSatisfy { $0.pixels.format == .gray8 && $0.pixels.isFullRange && showsQuarters($0.pixels) })
            #expect(source.copiedFrameCount == 0)
        }

        @Test func brokenPicturesArePassedOverAndKeepTheOthersTimes() throws {
            let folder = try TemporaryFolder()
            try folder.copy("picture1.png", to: "1.png")
            try folder.write("no picture", "2.png")
            try folder.write("", "3.png")
            try folder.copy("picture2.png", to: "4.png")
            try folder.copy("picture.jpg", to: "5.jpg")
            let source = try FrameSources.open(folder.path)
            let frames = try source.allFrames()
            #expect(frames.map(\.index) == [0, 1, 2])
            #expect(frames.milliseconds == [0, 100, 133.3])
            #expect(source.notices == ["2 pictures could not be read and were skipped"])
        }

        @Test func aFolderOfBrokenPicturesIsAnError() throws {
            let folder = try TemporaryFolder()
            try folder.write("no picture", "1.png")
            let error = try captureError(opening: folder.path)
            #expect(error.kind == .damaged)
            #expect(error.isOneFriendlyLine)
        }

        @Test func aSequenceFolderTellsEverythingAboutItsVideo() throws {
            let folder = try TemporaryFolder()
            try folder.copy("plain.mp4", to: "video.mp4")
            try folder.write(
                """
                {"width": 320, "height": 240, "fx": 300, "fy": 302, "cx": 160.5, "cy": 119.5,
                 "distortion_model": "fisheye", "k1": 0.1, "k2": 0.02, "k3": 0.003, "k4": 0.0004}
                """, "intrinsics.json")
            let times = (0..<12).map { "\($0),\(String(format: "%.6f", 5 + 0.05 * Double($0) + ($0 == 3 ? 0.01 : 0)))" }
            try folder.write("index,t\n" + times.joined(separator: "\n"), "frames.csv")
            let readings = (0..<200).map { "\(4.5 + Double($0) * 0.005),0.1,0.2,0.3,0,-9.81,0.5" }
            try folder.write("t,gx,gy,gz,ax,ay,az\n" + readings.joined(separator: "\n"), "imu.csv")
            try folder.write(
                """
                {"gyro_noise_density": 1e-3, "gyro_bias_walk": 2e-5, "accel_noise_density": 3e-3, "accel_bias_walk": 4e-4,
                 "camera_from_imu": [[0, -1, 0, 0.01], [1, 0, 0, 0.02], [0, 0, 1, 0.03], [0, 0, 0, 1]],
                 "time_offset_s": 0.25}
                """, "imu.json")
            for name in ["groundtruth.csv", "planes.json", "events.json"] { try folder.write("x", name) }

            let source = try FrameSources.open(folder.path)
            let info = source.info
            #expect(info.kind == .sequenceFolder)
            #expect(info.clockOriginNanoseconds == 5_000_000_000)
            #expect(info.nominalFrameRate == 20)
            #expect(abs((info.durationSeconds ?? 0) - 0.6) < 1e-9)
            let camera = try #require(info.intrinsics)
            #expect((camera.width, camera.height, camera.fx, camera.fy) == (160, 120, 150, 151))
            #expect((camera.cx, camera.cy) == (80, 59.5))
            #expect(camera.distortion == .fisheye(k1: 0.1, k2: 0.02, k3: 0.003, k4: 0.0004))
            #expect(camera.source == .calibrated)
            #expect(info.inertial.count == 200)
            let first = try #require(info.inertial.first)
            #expect(first.timestampNanoseconds == -250_000_000)
            #expect(close(first.angularVelocity, SIMD3(-0.2, 0.1, 0.3)))
            #expect(close(first.acceleration, SIMD3(9.81, 0, 0.5)))
            #expect(close(info.inertialSensorInCamera, SIMD3(0.01, 0.02, 0.03)))
            #expect(info.inertialNoise?.accelerometerNoiseDensity == 3e-3)
            #expect(info.groundTruthPath == folder.file("groundtruth.csv"))
            #expect(info.planesPath == folder.file("planes.json"))
            #expect(info.eventsPath == folder.file("events.json"))
            let frames = try source.allFrames()
            #expect(frames.milliseconds == [0, 50, 100, 160, 200, 250, 300, 350, 400, 450, 500, 550])
            #expect(source.notices.isEmpty)
        }

        @Test func framesBeyondTheListGetTheUsualInterval() throws {
            let folder = try TemporaryFolder()
            try folder.copy("plain.mp4", to: "video.mp4")
            try folder.write("index,t\n0,1.0\n1,1.1\n2,1.2\n", "frames.csv")
            let source = try FrameSources.open(folder.path)
            let frames = try source.allFrames()
            #expect(frames.milliseconds == (0..<12).map { Double($0) * 100 })
            #expect(source.notices.contains("frames.csv has 3 times for 12 frames"))
            #expect(source.notices.contains("9 frames beyond frames.csv got the usual interval"))
        }

        @Test func millisecondsAreRefused() throws {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: Fixture.path("plain.mp4"), toPath: folder.file("video.mp4"))
            try folder.write("index,t\n0,100000\n1,100033\n2,100067\n3,100100\n", "frames.csv")
            let error = try captureError(opening: folder.path)
            #expect(error.kind == .badFolder && error.isOneFriendlyLine)
            #expect(error.description.contains("33 seconds") && error.description.contains("milliseconds"))
        }

        @Test func anEuRoCSequenceWithoutItsListIsCalledThat() throws {
            let folder = try TemporaryFolder()
            try folder.write("sensor_type: camera\n", "mav0/cam0/sensor.yaml")
            let error = try captureError(opening: folder.path)
            #expect(error.kind == .badFolder && error.isOneFriendlyLine)
            #expect(error.description.contains("mav0/cam0/data.csv"))
        }

        @Test func aSequenceOfPicturesTakesNamesAndTimesFromItsList() throws {
            let folder = try TemporaryFolder()
            for index in 1...3 { try folder.copy("picture\(index).png", to: "frames/\(index).png") }
            try folder.write("t,file\n10.5,3.png\n10.625,1.png\n", "frames.csv")
            let source = try FrameSources.open(folder.path)
            #expect(source.info.kind == .sequenceFolder)
            #expect(source.info.clockOriginNanoseconds == 10_500_000_000)
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [2, 0])
            #expect(frames.milliseconds == [0, 125])
        }

        @Test(
            arguments: [
                // A repeated time, then a stray one.
                (["0.0", "0.1", "0.1", "0.3", "99", "0.5"], [0, 100, 200, 300, 400, 500], 2),
                // One step back.
                (["0.0", "0.1", "0.05", "0.3", "0.4", "0.5"], [0, 100, 200, 300, 400, 500], 1),
                // A clock that starts again.
                (["7.0", "7.1", "7.2", "-5.0", "-4.9", "-4.8"], [0, 100, 200, 300, 400, 500], 1),
                // A pause is no fault.
                (["0.0", "0.1", "0.2", "9.2", "9.3", "9.4"], [0, 100, 200, 9200, 9300, 9400], 0),
            ] as [([String], [Double], Int)])
        func brokenTimesAreRepaired(times: [String], expected: [Double], broken: Int) throws {
            let folder = try TemporaryFolder()
            for index in 0..<6 { try folder.copy("picture\(index % 3 + 1).png", to: "frames/\(index).png") }
            let rows = times.enumerated().map { "\($0.offset),\($0.element)\n" }
            try folder.write("index,t\n" + rows.joined(), "frames.csv")
            let source = try FrameSources.open(folder.path)
            #expect(try source.allFrames().milliseconds == expected)
            let frames = broken == 1 ? "1 frame" : "\(broken) frames"
            #expect(
                source.notices == (broken > 0 ? ["the times of \(frames) were broken and have been repaired"] : []))
        }

        @Test(arguments: [
            ("rgbd_dataset_freiburg1_desk", 517.3, 0.2624), ("fr2_xyz", 520.9, 0.2312),
            ("freiburg3_office", 535.4, 0.0),
            ("some_room", 525.0, 0.0),
        ])
        func aTUMFolderIsReadAsPublished(name: String, focal: Double, k1: Double) throws {
            let folder = try TemporaryFolder()
            for index in 1...3 { try folder.copy("picture\(index).png", to: "\(name)/rgb/\(index).png") }
            let list = """
                # color images
                # file: 'rgbd_dataset.bag'
                # timestamp filename
                1305031102.175304 rgb/1.png
                1305031102.211214 rgb/2.png
                1305031102.243211 rgb/3.png

                """
            try folder.write(list, "\(name)/rgb.txt")
            try folder.write("# truth", "\(name)/groundtruth.txt")
            let source = try FrameSources.open(folder.file(name))
            #expect(source.info.kind == .tumFolder)
            #expect(source.info.name == name)
            #expect(source.info.clockOriginNanoseconds == 1_305_031_102_175_304_000)
            #expect(source.info.groundTruthPath == folder.file(name + "/groundtruth.txt"))
            let camera = try #require(source.info.intrinsics)
            // The fixtures are a tenth as wide as the benchmark's pictures.
            #expect(abs(camera.fx - focal / 10) < 1e-9)
            if case .radialTangential(let value, _, _, _, _) = camera.distortion {
                #expect(value == k1)
            } else {
                #expect(k1 == 0)
            }
            let frames = try source.allFrames()
            #expect(frames.map(\.timestampNanoseconds) == [0, 35_910_000, 67_907_000])
            #expect(frames.map { $0.pixels.number() } == [0, 1, 2])
            #expect(source.notices.isEmpty == (name != "some_room"))
        }

        @Test(arguments: ["mav0/", ""])
        func anEuRoCFolderIsReadAsPublished(root: String) throws {
            let folder = try TemporaryFolder()
            try folder.copy("gray1.png", to: root + "cam0/data/1403715285262142976.png")
            try folder.copy("gray2.png", to: root + "cam0/data/1403715285312143104.png")
            try folder.write(
                """
                #timestamp [ns],filename\r
                1403715285262142976,1403715285262142976.png\r
                1403715285312143104,1403715285312143104.png\r

                """, root + "cam0/data.csv")
            try folder.write(EuRoCText.camera, root + "cam0/sensor.yaml")
            try folder.write(EuRoCText.inertialSensor, root + "imu0/sensor.yaml")
            try folder.write(
                """
                #timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2],a_y,a_z
                1403715284262142976,0.1,0.2,0.3,9.81,0,1
                1403715285267142912,0.4,0.5,0.6,9.81,0,1

                """, root + "imu0/data.csv")
            try folder.write("#", root + "state_groundtruth_estimate0/data.csv")
            let source = try FrameSources.open(folder.path)
            let info = source.info
            #expect(info.kind == .eurocFolder)
            #expect(info.clockOriginNanoseconds == 1_403_715_285_262_142_976)
            #expect(info.groundTruthPath == folder.file(root + "state_groundtruth_estimate0/data.csv"))
            let camera = try #require(info.intrinsics)
            #expect((camera.width, camera.height, camera.fx, camera.cy) == (64, 48, 45.8654, 24.8375))
            #expect(
                camera.distortion
                    == .radialTangential(k1: -0.28340811, k2: 0.07395907, p1: 0.00019359, p2: 1.7e-05, k3: 0))
            // The camera's x is the body's −y, its y the body's x.
            #expect(info.inertial.map(\.timestampNanoseconds) == [-1_000_000_000, 4_999_936])
            #expect(close(info.inertial[0].angularVelocity, SIMD3(-0.2, 0.1, 0.3)))
            #expect(close(info.inertial[0].acceleration, SIMD3(0, 9.81, 1)))
            // The body's origin seen from the camera at (0.1, 0.2, 0.3) in the body.
            #expect(close(info.inertialSensorInCamera, SIMD3(0.2, -0.1, -0.3)))
            #expect(info.inertialNoise?.gyroNoiseDensity == 1.6968e-04)
            #expect(info.inertialNoise?.accelerometerBiasWalk == 3e-3)
            #expect(try source.allFrames().map(\.timestampNanoseconds) == [0, 50_000_128])
        }
    }
}

enum EuRoCText {
    static let camera = """
        # General sensor definitions.
        sensor_type: camera
        comment: VI-Sensor cam0 (MT9M034)

        # Sensor extrinsics wrt. the body-frame.
        T_BS:
          cols: 4
          rows: 4
          data: [0.0, 1.0, 0.0, 0.1,
                -1.0, 0.0, 0.0, 0.2,
                 0.0, 0.0, 1.0, 0.3,
                 0.0, 0.0, 0.0, 1.0]

        rate_hz: 20
        resolution: [64, 48]
        camera_model: pinhole
        intrinsics: [45.8654, 45.7296, 36.7215, 24.8375] #fu, fv, cu, cv
        distortion_model: radial-tangential
        distortion_coefficients: [-0.28340811, 0.07395907, 0.00019359, 1.7e-05]

        """

    static let inertialSensor = """
        %YAML:1.0
        #Default imu sensor yaml file
        sensor_type: imu
        T_BS:
          cols: 4
          rows: 4
          data: [1.0, 0.0, 0.0, 0.0,
                 0.0, 1.0, 0.0, 0.0,
                 0.0, 0.0, 1.0, 0.0,
                 0.0, 0.0, 0.0, 1.0]
        rate_hz: 200
        gyroscope_noise_density: 1.6968e-04     # [ rad / s / sqrt(Hz) ]   ( gyro "white noise" )
        gyroscope_random_walk: 1.9393e-05
        accelerometer_noise_density: 2.0000e-3
        accelerometer_random_walk: 3.0000e-3    # ( accel bias diffusion )

        """
}
