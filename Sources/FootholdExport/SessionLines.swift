/// The lines of `session.jsonl`: one JSON object each, with `type` and `t` (seconds) first.
extension JSONText {
    /// - Parameter body: writes the keys that follow `type` and `t`.
    private mutating func line(_ type: String, _ nanoseconds: Int64, _ body: (inout JSONText) -> Void) {
        object { json in
            json.string("type", type)
            json.seconds("t", nanoseconds: nanoseconds)
            body(&json)
        }
        endLine()
    }

    mutating func frameLine(_ result: FrameResult) {
        line("frame", result.timestampNanoseconds) { json in
            json.integer("index", result.frameIndex)
            json.string("trackingState", result.trackingState.name)
            json.string("reason", result.trackingState.reason?.rawValue)
            if let pose = result.worldFromCamera {
                json.numbers("worldFromCamera", pose.matrixColumns)
            } else {
                json.null("worldFromCamera")
            }
            json.integer("features", result.diagnostics.inlierCount)
            json.object("light") { json in
                json.number("intensity", result.light.intensity, decimals: 4)
                if let direction = result.light.direction {
                    json.vector("direction", direction, decimals: 4)
                } else {
                    json.null("direction")
                }
                json.vector("color", result.light.color, decimals: 4)
            }
            json.scale(result.scale)
        }
    }

    mutating func scale(_ scale: ScaleEstimate) {
        object("scale") { json in
            json.string("source", scale.source.rawValue)
            json.number("confidence", scale.confidence, decimals: 4)
            if let metres = scale.metresPerUnit { json.number("metresPerUnit", metres, decimals: 4) }
        }
    }

    /// A merger is two lines: the surface that is gone, and what it became part of.
    mutating func surfaceLines(_ event: SurfaceEvent, nanoseconds: Int64) {
        switch event {
        case .added(let surface): surfaceLine("added", surface, nanoseconds)
        case .updated(let surface): surfaceLine("updated", surface, nanoseconds)
        case .merged(let id, let into):
            line("surface", nanoseconds) { json in
                json.string("event", "merged")
                json.integer("id", id)
                json.integer("into", into.id)
            }
            surfaceLine("updated", into, nanoseconds)
        case .removed(let id):
            line("surface", nanoseconds) { json in
                json.string("event", "removed")
                json.integer("id", id)
            }
        }
    }

    private mutating func surfaceLine(_ event: String, _ surface: PlaneAnchor, _ nanoseconds: Int64) {
        line("surface", nanoseconds) { json in
            json.string("event", event)
            json.integer("id", surface.id)
            json.string("alignment", surface.alignment.rawValue)
            json.string("classification", surface.classification.rawValue)
            json.numbers("transform", surface.worldFromSurface.matrixColumns)
            json.numbers("extent", [surface.extent.x, surface.extent.y], decimals: 6)
            json.array("boundary") { json in
                for point in surface.boundary { json.numbers(nil, [point.x, point.y], decimals: 6) }
            }
            json.number("confidence", surface.confidence, decimals: 4)
        }
    }

    mutating func hintLine(_ event: HintEvent, nanoseconds: Int64) {
        let (name, hint) =
            switch event {
            case .shown(let hint): ("shown", hint)
            case .hidden(let hint): ("hidden", hint)
            }
        line("hint", nanoseconds) { json in
            json.string("event", name)
            json.integer("id", hint.id)
            json.string("cause", hint.cause.rawValue)
            json.string("text", hint.text)
            json.string("language", hint.language)
        }
    }

    mutating func objectLine(_ event: ObjectEvent, nanoseconds: Int64) {
        let object = event.object
        line("object", nanoseconds) { json in
            json.string("event", event.kind.rawValue)
            json.integer("id", object.id)
            json.string("name", object.name)
            json.string("model", object.model)
            json.integer("surface", object.surfaceID)
            json.numbers("worldFromObject", object.worldFromObject.matrixColumns)
            json.vector("size", object.size, decimals: 6)
            json.number("scale", object.scale, decimals: 6)
            json.boolean("provisional", object.isProvisional)
        }
    }

    mutating func feedbackLine(_ event: FeedbackEvent, nanoseconds: Int64) {
        line("feedback", nanoseconds) { json in
            json.string("kind", event.kind.rawValue)
            json.integer("object", event.objectID)
            json.number("intensity", event.intensity, decimals: 3)
            json.seconds("due", nanoseconds: event.dueNanoseconds)
            json.boolean("isHeadsUp", event.isHeadsUp)
        }
    }

    mutating func sessionLine(_ event: SessionEvent, nanoseconds: Int64) {
        line("session", nanoseconds) { json in
            switch event {
            case .started(let source):
                json.string("event", "started")
                json.string("source", source)
            case .reviewed: json.string("event", "reviewed")
            case .interrupted: json.string("event", "interrupted")
            case .resumed: json.string("event", "resumed")
            case .reset: json.string("event", "reset")
            case .returned: json.string("event", "returned")
            case .joined(let absorbed):
                json.string("event", "joined")
                json.numbers("worldFromAbsorbed", absorbed.matrixColumns)
            case .ended: json.string("event", "ended")
            case .trouble(let kind, let isOver, let message):
                json.string("event", "trouble")
                json.string("kind", kind)
                json.boolean("over", isOver)
                json.string("message", message)
            case .suitability(let kind, let reason, let text):
                json.string("event", "suitability")
                json.string("kind", kind)
                json.string("reason", reason)
                json.string("text", text)
            case .world(let event):
                json.string("event", "world")
                json.string("state", event.rawValue)
            case .linesDropped(let count):
                json.string("event", "linesDropped")
                json.integer("count", count)
            }
        }
    }

    mutating func answerLine(_ answer: CommandAnswer, nanoseconds: Int64) {
        line("answer", nanoseconds) { json in
            switch answer.id {
            case .text(let text): json.string("id", text)
            case .number(let number): json.number("id", asWritten: number)
            case .truth(let truth): json.boolean("id", truth)
            case nil: json.string("id", nil)
            }
            json.string("command", answer.command)
            json.boolean("done", answer.isDone)
            if let message = answer.message { json.string("message", message) }
            if let object = answer.objectID { json.integer("object", object) }
            if let capture = answer.capture { json.object("capture") { $0.capture(capture) } }
        }
    }

    /// The keys of `summary.json`'s `capture`.
    mutating func capture(_ capture: CaptureMeasurements) {
        string("camera", capture.camera)
        string("mode", capture.mode)
        integer("captured", capture.captured)
        integer("tracked", capture.tracked)
        integer("replaced", capture.replaced)
        integer("lost", capture.lost)
        integer("damaged", capture.damaged)
        integer("interruptions", capture.interruptions)
        number("dropRate", capture.dropRate, decimals: 6)
        number("latencyMedianMilliseconds", capture.latencyMedian, decimals: 2)
        number("latencyP99Milliseconds", capture.latencyP99, decimals: 2)
        integer("linesDropped", capture.linesDropped)
        integer("recorded", capture.recorded)
        integer("notRecorded", capture.notRecorded)
    }

    /// The camera in use from this moment on; written when it becomes known and whenever it is refined.
    mutating func cameraLine(_ intrinsics: CameraIntrinsics, nanoseconds: Int64) {
        line("session", nanoseconds) { json in
            json.string("event", "camera")
            json.camera(intrinsics)
        }
    }

    /// The keys of `intrinsics.json`, and where the numbers come from.
    mutating func camera(_ intrinsics: CameraIntrinsics) {
        integer("width", intrinsics.width)
        integer("height", intrinsics.height)
        number("fx", intrinsics.fx)
        number("fy", intrinsics.fy)
        number("cx", intrinsics.cx)
        number("cy", intrinsics.cy)
        switch intrinsics.distortion {
        case .none:
            string("distortion_model", "none")
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            string("distortion_model", "radtan")
            for (key, value) in [("k1", k1), ("k2", k2), ("p1", p1), ("p2", p2), ("k3", k3)] { number(key, value) }
        case .fisheye(let k1, let k2, let k3, let k4):
            string("distortion_model", "fisheye")
            for (key, value) in [("k1", k1), ("k2", k2), ("k3", k3), ("k4", k4)] { number(key, value) }
        }
        string("source", intrinsics.source.rawValue)
    }
}
