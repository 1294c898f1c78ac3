import FootholdCoaching
import Foundation
import Testing

@Suite struct CoachTests {
    /// Plays stretches of situations at 30 frames a second.
    private func play(
        _ parts: [(situation: Situation, seconds: Double)], placedCount: Int = 1, hasSurface: Bool? = nil,
        language: String = "en"
    ) -> (shown: [(seconds: Double, hint: Hint)], coach: Coach) {
        var coach = Coach(language: language, deviceWord: "phone", objectName: "chair")
        var random = SeededRandom(11)
        var shown: [(Double, Hint)] = []
        var index = 0
        for part in parts {
            for _ in 0..<Int(part.seconds * 30) {
                let result = Stream.result(
                    index: index, seconds: Double(index) / 30, situation: part.situation, random: &random,
                    hasSurface: hasSurface)
                for case .shown(let hint) in coach.update(result, context: CoachingContext(placedCount: placedCount)) {
                    shown.append((Double(index) / 30, hint))
                }
                index += 1
            }
        }
        return (shown, coach)
    }

    @Test func whileAllIsWellNothingIsSaid() {
        #expect(play([(.well, 60)]).shown.isEmpty)
    }

    @Test(arguments: Situation.troubled.indices)
    func helpComesWithinASecondAndNamesTheCause(_ index: Int) throws {
        let situation = Situation.troubled[index]
        guard situation.hasSurface else { return }
        let shown = play([(.well, 4), (situation, 4)]).shown
        let first = try #require(shown.first)
        #expect(first.hint.cause == situation.cause, "\(situation.name)")
        // A frozen picture takes a second to tell from a still one.
        #expect(
            first.seconds - 4 <= (situation.cause == .frozen ? 1.7 : 0.5), "\(situation.name): \(first.seconds - 4)")
    }

    @Test func gettingStartedInvitesToLookAroundAndThenToTap() {
        var random = SeededRandom(2)
        var coach = Coach(language: "en", objectName: "chair")
        var texts: [String] = []
        var progress: [Double] = []
        for index in 0..<300 {
            let seconds = Double(index) / 30
            var situation = Situation.well
            if seconds < 1 { situation.state = .limited(.initializing) }
            let result = Stream.result(
                index: index, seconds: seconds, situation: situation, random: &random, hasSurface: seconds > 2)
            for case .shown(let hint) in coach.update(result, context: CoachingContext()) { texts.append(hint.text) }
            progress.append(coach.progress)
        }
        #expect(
            texts == ["Look around slowly.", "Tap where the chair should go."])
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(progress[0] > 0 && progress[0] < 0.6 && progress[45] >= 0.6 && progress[45] < 1 && progress[299] == 1)
    }

    /// Who turns on the spot is shown at once which movement helps, in place of the invitation, so that one line less has
    /// to be read; not before it was a turn to speak of.
    @Test func whoTurnsOnTheSpotFromTheFirstPictureOnIsInvitedToMoveSideways() {
        let turning = Situation.troubled.first { $0.name == "turning on the spot" }!
        let shown = play([(turning, 6)], placedCount: 0, hasSurface: false).shown
        #expect(shown.map(\.hint.cause) == [.noTranslation])
        #expect(shown[0].seconds >= 0.4 && shown[0].seconds <= 1.2)
    }

    @Test func whatIsBeyondDoubtFromTheFirstPictureOnIsSaidInsteadOfTheInvitation() {
        for name in ["dark", "shaken", "plain from the start", "black, and started over"] {
            let situation = Situation.troubled.first { $0.name == name }!
            let shown = play([(situation, 6)], placedCount: 0, hasSurface: false).shown
            #expect(shown.first?.hint.cause == situation.cause, "\(name)")
            #expect(shown.first.map { $0.seconds <= 0.5 } == true, "\(name)")
        }
    }

    @Test func anInvitationMakesRoomForAFailureOnceItCouldBeRead() {
        let dark = Situation.troubled[0]
        let shown = play([(.well, 9), (dark, 5)], placedCount: 0).shown
        #expect(shown.map(\.hint.cause).prefix(2) == [.ready, .insufficientLight])
        #expect(shown[1].seconds <= 9.5)
    }

    @Test func wordsToTapComeOnlyWhenTheSceneHadNoAnswer() {
        #expect(play([(.well, 5.5)], placedCount: 0).shown.isEmpty)
        #expect(play([(.well, 7)], placedCount: 0).shown.map(\.hint.cause) == [.ready])
    }

    @Test func nobodyIsInvitedToTapWhileThePictureRushesBy() {
        var rushing = Situation.well
        rushing.diagnostics = { random in
            var d = Situation.calm(&random)
            d.flow = 1.1
            return d
        }
        #expect(play([(rushing, 12)], placedCount: 0).shown.isEmpty)
    }

    /// The laws of timing, with real words and their reading times, over random stretches of every situation.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func theLawsOfTimingHoldForWhatPeopleSee(_ seed: UInt64) {
        var random = SeededRandom(seed)
        let language = seed % 2 == 0 ? "ko" : "en"
        var coach = Coach(language: language, deviceWord: "phone", objectName: "chair")
        var current: (hint: Hint, since: Double)?
        var lastSeen: [HintCause: Double] = [:]
        var shownAt: [Double] = []
        var seconds = 0.0
        var (situation, until) = (Situation.well, 0.0)
        var hasSurface: Bool?
        for index in 0..<2700 {
            if seconds >= until {
                situation = random.number(0...1) < 0.4 ? .well : Situation.troubled.randomElement(using: &random)!
                hasSurface = [nil, true, false].randomElement(using: &random)!
                until = seconds + random.number(0.05...(seed % 3 == 0 ? 1.5 : 12))
            }
            let result = Stream.result(
                index: index, seconds: seconds, situation: situation, random: &random, hasSurface: hasSurface)
            let events = coach.update(result, context: CoachingContext())
            if let cause = coach.diagnosis.cause { lastSeen[cause] = result.seconds }
            for event in events {
                switch event {
                case .hidden(let hint):
                    #expect(current?.hint == hint, "hidden without being shown")
                    #expect(result.seconds - (current?.since ?? 0) >= 2 - 1e-6, "too short to read")
                    current = nil
                case .shown(let hint):
                    #expect(current == nil, "two at once")
                    current = (hint, result.seconds)
                    shownAt.append(result.seconds)
                }
            }
            #expect(coach.currentHint == current?.hint)
            if let (hint, since) = current, !HintScheduler.isInvitation(hint.cause), hint.cause != .startOver {
                let due = max(since + HintTiming().reading(hint.text), lastSeen[hint.cause] ?? 0)
                // A second, and one picture of a slow recording.
                #expect(result.seconds <= due + 1.1, "\(hint.cause) outlasts its cause")
            }
            #expect(shownAt.count { result.seconds - $0 < 10 } <= 5, "too many changes")
            seconds += random.number(0.02...0.06)
        }
        #expect(shownAt.count > 5)
    }

    @Test func wordsAboutAnObjectComeOnlyWhenTheSignsAroundItHadNoAnswer() {
        var coach = Coach(language: "en")
        var random = SeededRandom(6)
        var shown: [(seconds: Double, text: String)] = []
        for index in 0..<600 {
            let t = Double(index) / 30
            let result = Stream.result(index: index, seconds: t, situation: .well, random: &random)
            // Selected after 5 s, touched at 16 s.
            let waited = t >= 5 && t < 16 ? t - 5 : nil
            let context = CoachingContext(placedCount: 1, unansweredHintSeconds: waited, selectedName: "lamp")
            for case .shown(let hint) in coach.update(result, context: context) { shown.append((t, hint.text)) }
        }
        #expect(shown.map(\.text) == ["Drag the lamp to move it. Turn it with two fingers."])
        #expect(shown.first.map { (11...11.6).contains($0.seconds) } == true)
    }

    @Test func walkingFastWithTheCameraAsideEarnsACalmWord() {
        func words(
            speed: Double, lookingAside: Bool, metresPerUnit: Double? = nil,
            doubt: (inout FrameResult) -> Void = { _ in }
        ) -> [HintCause] {
            var coach = Coach()
            var random = SeededRandom(6)
            var shown: [HintCause] = []
            for index in 0..<240 {
                let t = Double(index) / 30
                var result = Stream.result(index: index, seconds: t, situation: .well, random: &random)
                let way = SIMD3(0, 0, -speed * t)
                result.scale.metresPerUnit = metresPerUnit
                if index % 50 == 0 { doubt(&result) }
                result.worldFromCamera = Pose(
                    rotation: Rotation(axis: .unitY, angleRadians: lookingAside ? 1.4 : 0), position: way)
                for case .shown(let hint) in coach.update(result, context: CoachingContext(placedCount: 1)) {
                    shown.append(hint.cause)
                }
            }
            return shown
        }
        #expect(words(speed: 3, lookingAside: true) == [.mindStep])
        #expect(words(speed: 3, lookingAside: false).isEmpty)
        // What is assumed to be a brisk walk may be a slow one, and the other way round.
        #expect(words(speed: 3, lookingAside: true, metresPerUnit: 0.3).isEmpty)
        #expect(words(speed: 1.5, lookingAside: true).isEmpty)
        #expect(words(speed: 1.5, lookingAside: true, metresPerUnit: 1.5) == [.mindStep])
        // A speed that is told by a way in doubt is none to warn of.
        #expect(words(speed: 3, lookingAside: true) { $0.trackingState = .limited(.insufficientFeatures) }.isEmpty)
        let still = WorldCorrection(parts: [.init(position: .zero)])
        #expect(words(speed: 3, lookingAside: true) { $0.correction = still }.isEmpty)
        #expect(words(speed: 0.8, lookingAside: true).isEmpty)
    }

    @Test func hintsSpeakTheLanguageThatWasAskedFor() {
        let shown = play([(.well, 4), (Situation.troubled[3], 3)], language: "ko").shown
        #expect(shown.map(\.hint.text) == ["휴대폰을 조금 더 천천히 움직여 주세요."])
        #expect(shown.allSatisfy { $0.hint.language == "ko" })
    }

    @Test func theSameFramesGiveTheSameHints() {
        let parts = Situation.troubled.map { ($0, 3.0) }
        let a = play(parts).shown.map(\.hint)
        let b = play(parts).shown.map(\.hint)
        #expect(a == b && !a.isEmpty)
    }

    @Test func gettingStartedSaysWhatIsStillNeeded() {
        let turning = Situation.troubled.first { $0.name == "turning on the spot" }!
        #expect(play([(turning, 2)]).coach.gettingStarted.needs == [.sidewaysMovement])
        #expect(play([(Situation.troubled[0], 2)], hasSurface: false).coach.gettingStarted.needs.first == .light)
    }
}
