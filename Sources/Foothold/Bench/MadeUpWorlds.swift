import FootholdEvaluation
import FootholdSynthesis

extension Trial {
    /// The worlds that a benchmark runs: `perTrial` of each situation that is wanted, each with a seed of its own, which
    /// doesn't depend on what else is wanted.
    static func worlds(
        seed: UInt64, perTrial: Int, where isWanted: (Trial) -> Bool
    ) -> [(trial: Trial, seed: UInt64)] {
        all.enumerated().filter { isWanted($0.element) }.flatMap { index, trial in
            (0..<perTrial).map { (trial, seed &+ UInt64(index * 1000 + $0)) }
        }
    }

    /// True of every situation where no name is asked for.
    func isNamed(_ name: String?) -> Bool { name.map(self.name.contains) ?? true }
}

extension SyntheticSequence {
    /// The true path, with computer-vision axes.
    var truePath: Trajectory {
        Trajectory(
            (0..<frameCount).map {
                .init(
                    seconds: seconds(ofFrame: $0), worldFromCamera: worldFromCamera(atFrame: $0).flippingCameraAxes)
            })
    }

    func depthPicture(atFrame index: Int) -> DepthPicture {
        DepthPicture(intrinsics: intrinsics, depths: depths(atFrame: index))
    }
}
