import FootholdScene

extension Diagnostician {
    /// Without trouble there is no cause (but for two rules): this outweighs whatever else a rule may gather.
    private static let trouble = Evidence.above(.trouble, 0.6, width: 0.1, weight: 6)

    private static let darkness = Evidence.below(.brightness, 0.14, width: 0.03, weight: 4, oneSided: true)
    private static let glare = Evidence.above(.brightShare, 0.15, width: 0.08, weight: 4, oneSided: true)
    /// Next to nothing to see.
    private static let emptiness = Evidence.below(.detailShare, 0.12, width: 0.04, weight: 3, oneSided: true)
    /// Noise rather than forms.
    private static let noise = Evidence.above(.sharpness, 2, width: 0.4, weight: 3, oneSided: true)
    /// The same again and again.
    private static let pattern = Evidence.above(.repetition, 0.7, width: 0.08, weight: 4, oneSided: true)
    private static let slipping = Evidence.above(.slippage, 0.45, width: 0.12, weight: 3, oneSided: true)
    /// Right before something: the calmest movement looks fast from there.
    private static let nearness = Evidence.below(.nearness, 0.22, width: 0.05, weight: 3, oneSided: true)
    private static let backlight = Evidence.above(.backlight, 1, width: 0.3, weight: 3, oneSided: true)

    public static let standardRules: [DiagnosticRule] = [
        DiagnosticRule(
            cause: .insufficientLight, prior: -7,
            evidence: [
                trouble,
                .below(.brightness, 0.15, width: 0.04, weight: 4.5),
                .above(.darkShare, 0.55, width: 0.15, weight: 2, oneSided: true),
                // Little light, much gain, much noise.
                .above(.sharpness, 1.8, width: 0.4, weight: 2, oneSided: true),
                .says(.saysDark, weight: 5),
                // A lens that is suddenly covered is dark too, but it was bright a moment ago.
                against(.above(.blackout, 0.15, width: 0.05, weight: 6, oneSided: true)),
                // No room is as black as a lid.
                against(.below(.brightness, 0.025, width: 0.006, weight: 6, oneSided: true)),
            ]),
        DiagnosticRule(
            cause: .tooBright, prior: -7,
            evidence: [
                trouble,
                .above(.brightShare, 0.15, width: 0.08, weight: 4.5, oneSided: true),
                // Hardly anything isn't white: nothing can be seen of what is placed, however well it is followed.
                .above(.brightShare, 0.85, width: 0.05, weight: 12, oneSided: true),
                .above(.brightness, 0.72, width: 0.08, weight: 2, oneSided: true),
                .above(.backlight, 1, width: 0.3, weight: 4, oneSided: true),
                .below(.textureShare, 0.25, width: 0.1, weight: 1, oneSided: true),
            ]),
        DiagnosticRule(
            cause: .excessiveMotion, prior: -9,
            evidence: [
                trouble,
                // Once lost, nothing measures movement any more; what it was just before still counts.
                .above(.recentFlow, 0.9, width: 0.25, weight: 3, oneSided: true),
                // At the beginning there is nothing to lose: only what is wild keeps it from beginning.
                against(.says(.saysInitializing, weight: 3)), against(.says(.saysTurning, weight: 3)),
                .above(.recentFlow, 1.5, width: 0.25, weight: 4.5, oneSided: true),
                .above(.recentTurning, 1.3, width: 0.4, weight: 2.5, oneSided: true),
                .below(.relativeSharpness, 0.85, width: 0.12, weight: 1.5, oneSided: true),
                .above(.blurredChange, 0.018, width: 0.008, weight: 5.5, oneSided: true),
                .says(.saysMotion, weight: 5),
                against(emptiness), against(glare), against(darkness), against(noise), against(slipping),
                against(nearness), against(backlight), against(pattern),
                // Faster movement had been no trouble a moment before.
                against(.above(.ease, 0.12, width: 0.05, weight: 5, oneSided: true)),
            ]),
        DiagnosticRule(
            cause: .insufficientFeatures, prior: -9,
            evidence: [
                trouble,
                .below(.detailShare, 0.2, width: 0.06, weight: 3),
                .below(.textureShare, 0.25, width: 0.08, weight: 2, oneSided: true),
                .below(.trackedPoints, 1.5, width: 0.2, weight: 1, oneSided: true),
                .says(.saysFeatures, weight: 3),
                // Darkness, glare and blur take detail away as well; then they are the cause.
                .above(.brightness, 0.14, width: 0.04, weight: 3.5),
                against(.above(.flow, 0.8, width: 0.2, weight: 2, oneSided: true)), against(glare),
                against(.below(.sharpness, 0.4, width: 0.08, weight: 4, oneSided: true)),
                against(.above(.emptying, 0.3, width: 0.08, weight: 6, oneSided: true)),
                against(slipping),
                // Fine dots pass for noise; nothing that repeats itself is empty.
                against(pattern), against(pattern),
            ]),
        DiagnosticRule(
            cause: .viewBlocked, prior: -8.5,
            evidence: [
                trouble,
                .above(.blackout, 0.15, width: 0.05, weight: 7, oneSided: true),
                .below(.brightness, 0.025, width: 0.006, weight: 6, oneSided: true),
                .above(.emptying, 0.3, width: 0.08, weight: 5, oneSided: true),
                .above(.formlessness, 0.5, width: 0.1, weight: 2),
                .below(.detailShare, 0.05, width: 0.02, weight: 2),
                // Half of the view full of things is no cover.
                against(.above(.detailShare, 0.45, width: 0.06, weight: 6, oneSided: true)),
                against(glare), against(pattern),
            ]),
        DiagnosticRule(
            cause: .noTranslation, prior: -11.5,
            evidence: [
                trouble,
                .says(.saysTurning, weight: 7.5),
                .says(.saysInitializing, weight: 4.5),
                .above(.turned, 0.35, width: 0.12, weight: 2.5),
                .below(.parallax, 4, width: 1.5, weight: 2),
                .above(.textureShare, 0.2, width: 0.06, weight: 1),
                against(.above(.flow, 1.2, width: 0.2, weight: 3, oneSided: true)),
                // Before there is a world, that is: later, turning does no harm.
                against(.says(.saysLost, weight: 5)), against(darkness), against(noise), against(glare),
            ]),
        DiagnosticRule(
            cause: .hardSurfaces, prior: -9.5,
            evidence: [
                trouble,
                // Much to see, little of it stays where it is: reflections move against the rest.
                .above(.slippage, 0.45, width: 0.12, weight: 5),
                .above(.detailShare, 0.2, width: 0.06, weight: 1.5),
                .above(.brightShare, 0.02, width: 0.015, weight: 1, oneSided: true),
                .above(.misfit, 1.6, width: 0.4, weight: 1, oneSided: true),
                against(.above(.haste, 0.7, width: 0.2, weight: 3, oneSided: true)),
                against(pattern),
                against(darkness), against(glare), against(.says(.saysMotion, weight: 3)),
            ]),
        DiagnosticRule(
            cause: .repeatedPattern, prior: -9.5,
            evidence: [
                // Everything looks like its neighbour: what was lost can't be told from its copies, and a slip from one
                // to the next isn't noticed.
                .above(.mistakable, 0.6, width: 0.1, weight: 6),
                .above(.repetition, 0.7, width: 0.08, weight: 5),
                .above(.textureShare, 0.4, width: 0.1, weight: 1.5),
                against(.above(.flow, 0.7, width: 0.2, weight: 3, oneSided: true)),
                against(darkness),
            ]),
        DiagnosticRule(
            cause: .tooClose, prior: -8,
            // Even where it goes well, nothing can be placed from so near.
            evidence: [
                .below(.nearness, 0.22, width: 0.05, weight: 9.5),
                .above(.trouble, 0.6, width: 0.1, weight: 1, oneSided: true),
                .below(.sharpness, 0.7, width: 0.06, weight: 1, oneSided: true),
                against(darkness), against(emptiness),
            ]),
        DiagnosticRule(
            cause: .frozen, prior: -8,
            // A camera that stands still keeps its noise; not a pixel changing is trouble even where tracking holds. A
            // stand's picture may come to rest in a recording, so it takes longer without movement before.
            evidence: [
                .above(.stillSeconds, 0.2, width: 0.04, weight: 6),
                .above(.haltedFlow, 0.02, width: 0.01, weight: 4, oneSided: true),
                .above(.stillSeconds, 1, width: 0.15, weight: 4),
                // Blackness doesn't change either.
                .above(.brightness, 0.04, width: 0.01, weight: 4),
                .above(.trouble, 0.6, width: 0.1, weight: 5, oneSided: true),
            ]),
        DiagnosticRule(
            cause: .lowQuality, prior: -8.5,
            // In a poor enough recording what was placed sways even where it is followed well.
            evidence: [
                .above(.trouble, 0.6, width: 0.1, weight: 3),
                .below(.pictureSize, 170, width: 20, weight: 6, oneSided: true),
                // Blurred although it is held still and there is light.
                .below(.sharpness, 0.58, width: 0.04, weight: 6),
                .below(.sharpness, 0.35, width: 0.08, weight: 4, oneSided: true),
                .above(.misfit, 0.9, width: 0.2, weight: 4.5, oneSided: true),
                .above(.relativeSharpness, 0.85, width: 0.05, weight: 1),
                .above(.textureShare, 0.1, width: 0.04, weight: 1.5),
                .above(.brightness, 0.2, width: 0.05, weight: 1),
                against(.above(.flow, 0.4, width: 0.1, weight: 3, oneSided: true)),
                .above(.troubledSeconds, 3, width: 0.5, weight: 1.5),
            ]),
        DiagnosticRule(
            cause: .relocalizing, prior: -8.5,
            // Any cause that can be named is more useful than that the place was lost.
            evidence: [
                trouble,
                .above(.saysLost, 0.5, width: 0.1, weight: 4),
                // Nothing can be found again in a picture that doesn't change.
                against(.above(.stillSeconds, 0.15, width: 0.05, weight: 4, oneSided: true)),
            ]),
        DiagnosticRule(
            cause: .mindStep, prior: -5,
            // Nothing is wrong with what is seen; it is said for the person's sake.
            evidence: [.above(.hurry, 1, width: 0.1, weight: 8)]),
        DiagnosticRule(
            cause: .searchingTooLong, prior: -8,
            // Slow going is reason enough by itself.
            evidence: [.above(.searchingSeconds, 10, width: 0.2, weight: 9.5)]),
    ]

    /// Turns a piece of evidence round: it speaks against the cause.
    private static func against(_ evidence: Evidence) -> Evidence {
        var result = evidence
        result.weight = -evidence.weight
        return result
    }
}
