// Tracking of several points in lockstep: included inside a target's namespace after track_body.h, whose operations it
// uses for the pictures.
//
// One point's step is a long chain of dependent sums, conversions and divisions, and a processor has little to do in
// between. Eight points go through a level together: their pictures are summed one after the other, none waiting for
// another, and the small equations of all eight are then solved at once, a lane per point, in the reference's order of
// operations. No include guard, for the reason that track_body.h gives.

using DD = hn::CappedTag<double, 8>;
using VD = hn::Vec<DD>;

/// Points in lockstep, and groups of them that take turns.
constexpr int32_t kGroup = 8, kGroups = 2;

/// A number of each point.
struct alignas(64) Lanes {
    double of[kGroup];

    HWY_INLINE VD Load(int32_t first) const { return hn::Load(DD(), of + first); }
    HWY_INLINE void Store(VD v, int32_t first) { hn::Store(v, DD(), of + first); }
};

HWY_INLINE VD Real(double value) { return hn::Set(DD(), value); }

/// The templates' sums in, what SolveStep needs of fh_template out.
struct Solvers {
    Lanes pixels;
    Lanes t, q, qq, qt, x, y, xx, xy, yy, xq, yq, xt, yt;
    Lanes mean_value, value_variation, mean_gradient_x, mean_gradient_y, value_gradient_x, value_gradient_y;
    Lanes own_x, own_y, inverse_xx, inverse_xy, inverse_yy;
    /// 0 where there is too little structure to be solved for.
    Lanes min_eigenvalue;

    HWY_INLINE void Take(const TemplateSums &sums, const fh_template &patch, int32_t k) {
        pixels.of[k] = static_cast<double>((patch.right - patch.left) * (patch.bottom - patch.top));
        t.of[k] = sums.t;
        q.of[k] = sums.q;
        qq.of[k] = sums.qq;
        qt.of[k] = sums.qt;
        x.of[k] = sums.x;
        y.of[k] = sums.y;
        xx.of[k] = sums.xx;
        xy.of[k] = sums.xy;
        yy.of[k] = sums.yy;
        xq.of[k] = sums.xq;
        yq.of[k] = sums.yq;
        xt.of[k] = sums.xt;
        yt.of[k] = sums.yt;
    }

    /// FinishTemplate of the lanes from `first` on.
    HWY_INLINE void Finish(int32_t brightness, int32_t first) {
        const auto n = pixels.Load(first), sum_x = x.Load(first), sum_y = y.Load(first);
        const auto zero = hn::Zero(DD());
        auto sxx = xx.Load(first), sxy = xy.Load(first), syy = yy.Load(first);
        auto ox = xt.Load(first), oy = yt.Load(first);
        auto solvable = hn::Gt(n, zero);
        if (brightness >= FH_BRIGHTNESS_OFFSET) {
            const auto mean_x = hn::Div(sum_x, n), mean_y = hn::Div(sum_y, n), sum_t = t.Load(first);
            sxx = hn::Sub(sxx, hn::Div(hn::Mul(sum_x, sum_x), n));
            sxy = hn::Sub(sxy, hn::Div(hn::Mul(sum_x, sum_y), n));
            syy = hn::Sub(syy, hn::Div(hn::Mul(sum_y, sum_y), n));
            ox = hn::Sub(ox, hn::Mul(mean_x, sum_t));
            oy = hn::Sub(oy, hn::Mul(mean_y, sum_t));
            mean_gradient_x.Store(mean_x, first);
            mean_gradient_y.Store(mean_y, first);
        } else {
            mean_gradient_x.Store(zero, first);
            mean_gradient_y.Store(zero, first);
        }
        const auto sum_q = q.Load(first);
        const auto mean = hn::Div(sum_q, n);
        const auto variation = hn::Sub(qq.Load(first), hn::Div(hn::Mul(sum_q, sum_q), n));
        mean_value.Store(mean, first);
        value_variation.Store(variation, first);
        if (brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
            const auto variance = hn::Div(variation, hn::Mul(Real(16), n));
            solvable = hn::And(solvable, hn::Ge(variance, Real(kLeastVariance)));
            const auto vx = hn::Sub(xq.Load(first), hn::Mul(sum_x, mean));
            const auto vy = hn::Sub(yq.Load(first), hn::Mul(sum_y, mean));
            const auto share_x = hn::Div(vx, variation), share_y = hn::Div(vy, variation);
            sxx = hn::Sub(sxx, hn::Mul(share_x, vx));
            sxy = hn::Sub(sxy, hn::Mul(share_x, vy));
            syy = hn::Sub(syy, hn::Mul(share_y, vy));
            const auto own = hn::Sub(qt.Load(first), hn::Mul(mean, t.Load(first)));
            ox = hn::Sub(ox, hn::Mul(share_x, own));
            oy = hn::Sub(oy, hn::Mul(share_y, own));
            value_gradient_x.Store(vx, first);
            value_gradient_y.Store(vy, first);
        }
        own_x.Store(ox, first);
        own_y.Store(oy, first);
        const auto difference = hn::Sub(sxx, syy), trace = hn::Add(sxx, syy);
        const auto root = hn::Sqrt(hn::Add(hn::Mul(difference, difference), hn::Mul(hn::Mul(Real(4), sxy), sxy)));
        const auto smaller = hn::Mul(Real(0.5), hn::Sub(trace, root));
        const auto determinant = hn::Sub(hn::Mul(sxx, syy), hn::Mul(sxy, sxy));
        solvable = hn::And(solvable, hn::Gt(smaller, zero));
        solvable = hn::And(solvable, hn::Gt(determinant, hn::Mul(hn::Mul(Real(1e-9), trace), trace)));
        inverse_xx.Store(hn::Div(syy, determinant), first);
        inverse_xy.Store(hn::Div(hn::Neg(sxy), determinant), first);
        inverse_yy.Store(hn::Div(sxx, determinant), first);
        min_eigenvalue.Store(hn::IfThenElseZero(solvable, hn::Div(smaller, hn::Mul(Real(64), n))), first);
    }
};

/// A set of lanes.
using LaneBits = uint32_t;

constexpr LaneBits kLanesPerVector = static_cast<LaneBits>(hn::MaxLanes(DD()));

HWY_INLINE LaneBits BitsOf(hn::Mask<DD> mask, int32_t first) {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(DD(), mask, bytes);
    return static_cast<LaneBits>(bytes[0]) << first;
}

HWY_INLINE hn::Mask<DD> MaskOf(LaneBits bits, int32_t first) {
    const uint8_t bytes[8] = {static_cast<uint8_t>(bits >> first)};
    return hn::LoadMaskBits(DD(), bytes);
}

/// Points that go through the levels together, a lane each, and what they need on the way.
struct Group {
    int32_t count;
    fh_point starts[kGroup];
    fh_point goals[kGroup];
    /// Each point's warp, where there are warps.
    float warps[kGroup][4];
    fh_klt_result results[kGroup];

    /// Level-0 places as found so far.
    float x[kGroup], y[kGroup];
    fh_template patches[kGroup];
    Solvers solvers;

    // Of one level: where the search began, is, and how it moved last; its steps so far, its last gain.
    Lanes start_x, start_y, at_x, at_y, before_x, before_y, steps, gain;
    /// The windows' top-left samples.
    alignas(32) int32_t pixel_x[kGroup], pixel_y[kGroup], weight_x[kGroup], weight_y[kGroup];
    StepSums sums[kGroup];
    LikenessSums likeness[kGroup];
    int32_t iteration;
    /// Points that were searched for, still are, have an end, were found there, left the picture.
    LaneBits entered, searched, ended, found, outside;
};

/// How far, and how, a level's search may go.
struct Limits {
    float reach;
    double epsilon, epsilon_squared, max_shift_squared, small_step;
    double width, height;
    int32_t brightness, max_iterations;
};

/// Splits positions into pixels and weights, as SampleAt does.
HWY_INLINE void PlaceWindows(float reach, int32_t first, Group *group) {
    const hn::Rebind<float, DD> df;
    const hn::Rebind<int32_t, DD> di;
    const auto place = [&](const Lanes &at, int32_t *pixel, int32_t *weight) HWY_ATTR {
        const auto corner = hn::Sub(hn::DemoteTo(df, at.Load(first)), hn::Set(df, reach));
        const auto floor = hn::Floor(corner);
        hn::Store(hn::ConvertTo(di, floor), di, pixel + first);
        hn::Store(hn::ConvertTo(di, hn::Mul(hn::Sub(corner, floor), hn::Set(df, 32768.0f))), di, weight + first);
    };
    place(group->at_x, group->pixel_x, group->weight_x);
    place(group->at_y, group->pixel_y, group->weight_y);
}

/// SolveStep of the lanes from `first` on, and what Align does with its step.
HWY_INLINE void StepLanes(const Limits &limits, int32_t first, Group *group) {
    const DD d;
    const Solvers &solvers = group->solvers;
    VD sum, qi, xi, yi;
    hn::LoadInterleaved4(d, &group->sums[first].i, sum, qi, xi, yi);
    auto bx = hn::Sub(hn::Sub(xi, hn::Mul(solvers.mean_gradient_x.Load(first), sum)), solvers.own_x.Load(first));
    auto by = hn::Sub(hn::Sub(yi, hn::Mul(solvers.mean_gradient_y.Load(first), sum)), solvers.own_y.Load(first));
    const auto variation = solvers.value_variation.Load(first);
    const auto vx = solvers.value_gradient_x.Load(first), vy = solvers.value_gradient_y.Load(first);
    auto value = hn::Zero(d);
    if (limits.brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
        value = hn::Sub(qi, hn::Mul(solvers.mean_value.Load(first), sum));
        const auto share = hn::Div(value, variation);
        bx = hn::Sub(bx, hn::Mul(share, vx));
        by = hn::Sub(by, hn::Mul(share, vy));
    }
    const auto xx = solvers.inverse_xx.Load(first), xy = solvers.inverse_xy.Load(first),
               yy = solvers.inverse_yy.Load(first);
    auto ux = hn::Mul(Real(0.25), hn::Add(hn::Mul(xx, bx), hn::Mul(xy, by)));
    auto uy = hn::Mul(Real(0.25), hn::Add(hn::Mul(xy, bx), hn::Mul(yy, by)));
    auto gain = Real(1);
    if (limits.brightness == FH_BRIGHTNESS_GAIN_OFFSET) {
        const auto explained = hn::Mul(Real(0.5), hn::Add(hn::Mul(vx, ux), hn::Mul(vy, uy)));
        gain = hn::Div(hn::Sub(hn::Mul(Real(0.125), value), explained), variation);
        const auto divisor = hn::Min(hn::Max(gain, Real(kLeastGain)), Real(kMostGain));
        ux = hn::Div(ux, divisor);
        uy = hn::Div(uy, divisor);
    }
    auto step_x = hn::Neg(ux), step_y = hn::Neg(uy);

    const auto searched = MaskOf(group->searched, first);
    group->steps.Store(hn::Add(group->steps.Load(first), hn::IfThenElseZero(searched, Real(1))), first);
    group->gain.Store(hn::IfThenElse(searched, gain, group->gain.Load(first)), first);
    const auto squared_length = [](VD x, VD y) HWY_ATTR { return hn::Add(hn::Mul(x, x), hn::Mul(y, y)); };
    const auto before_x = group->before_x.Load(first), before_y = group->before_y.Load(first);
    const auto turn = squared_length(hn::Add(step_x, before_x), hn::Add(step_y, before_y));
    auto is_last = hn::Lt(turn, Real(group->iteration > 1 ? limits.epsilon_squared : 0));
    step_x = hn::IfThenElse(is_last, hn::Mul(step_x, Real(0.5)), step_x);
    step_y = hn::IfThenElse(is_last, hn::Mul(step_y, Real(0.5)), step_y);
    const auto old_x = group->at_x.Load(first), old_y = group->at_y.Load(first);
    const auto x = hn::Add(old_x, step_x), y = hn::Add(old_y, step_y);
    const hn::Rebind<float, DD> df;
    const auto seen_x = hn::PromoteTo(d, hn::DemoteTo(df, x)), seen_y = hn::PromoteTo(d, hn::DemoteTo(df, y));
    const auto readable = hn::And(hn::And(hn::Ge(seen_x, Real(-1)), hn::Ge(seen_y, Real(-1))),
                                  hn::And(hn::Le(seen_x, Real(limits.width)), hn::Le(seen_y, Real(limits.height))));
    const auto shift = squared_length(hn::Sub(x, group->start_x.Load(first)), hn::Sub(y, group->start_y.Load(first)));
    const auto moves = hn::AndNot(hn::Gt(shift, Real(limits.max_shift_squared)), hn::And(searched, readable));
    group->at_x.Store(hn::IfThenElse(moves, x, old_x), first);
    group->at_y.Store(hn::IfThenElse(moves, y, old_y), first);
    group->before_x.Store(step_x, first);
    group->before_y.Store(step_y, first);
    const auto length = hn::Sqrt(squared_length(step_x, step_y));
    is_last = hn::Or(is_last, hn::Lt(length, Real(limits.epsilon)));
    const LaneBits moved = BitsOf(moves, first);
    const LaneBits ended = group->iteration < limits.max_iterations ? moved & BitsOf(is_last, first) : moved;
    group->ended |= ended;
    group->found |= ended & BitsOf(hn::Lt(length, Real(limits.small_step)), first);
    group->outside |= BitsOf(hn::AndNot(readable, searched), first);
    const LaneBits here = ((LaneBits{1} << kLanesPerVector) - 1) << first;
    group->searched &= ~here | (moved & ~ended);
    PlaceWindows(limits.reach, first, group);
}

/// Templates of one level, and which points can be searched for there.
HWY_INLINE void PrepareLevel(const fh_image &source, const fh_image &target, const LevelSearch &level, bool warped,
                             const fh_klt_options &options, float reach, Group *group) {
    Rim rim;
    for (int32_t k = 0; k < group->count; ++k) {
        const fh_point center = {group->starts[k].x * level.scale, group->starts[k].y * level.scale};
        fh_template *patch = &group->patches[k];
        if (warped) {
            SampleWarpedTemplate(source, center, group->warps[k], options.window, level.brightness, patch, &rim);
        } else {
            SampleTemplate(source, center.x, center.y, options.window, level.brightness, patch, &rim);
        }
        TemplateSums sums;
        Operations::SumTemplate(rim.of, level.smooth, patch, &sums);
        group->solvers.Take(sums, *patch, k);
    }
    for (int32_t first = 0; first < group->count; first += static_cast<int32_t>(kLanesPerVector)) {
        group->solvers.Finish(level.brightness, first);
    }
    group->entered = group->ended = group->found = group->outside = 0;
    group->iteration = 0;
    for (int32_t k = 0; k < group->count; ++k) {
        const fh_template &patch = group->patches[k];
        // Less than a quarter of the window says too little.
        const bool solvable = patch.right > patch.left && patch.bottom > patch.top &&
                              4 * group->solvers.pixels.of[k] >= patch.window * patch.window &&
                              group->solvers.min_eigenvalue.of[k] > 0;
        const float min_eigenvalue = solvable ? static_cast<float>(group->solvers.min_eigenvalue.of[k]) : 0;
        fh_klt_result &result = group->results[k];
        if (level.is_finest) result.min_eigenvalue = min_eigenvalue;
        if (!solvable || (level.is_finest && min_eigenvalue < options.min_eigenvalue)) {
            result.status = FH_TRACK_FLAT;
            continue;
        }
        const float x = group->x[k] * level.scale, y = group->y[k] * level.scale;
        if (!IsReadable(target, x, y)) {
            result.status = FH_TRACK_OUTSIDE;
            continue;
        }
        group->start_x.of[k] = group->at_x.of[k] = x;
        group->start_y.of[k] = group->at_y.of[k] = y;
        group->entered |= LaneBits{1} << k;
    }
    group->searched = group->entered;
    for (int32_t first = 0; first < group->count; first += static_cast<int32_t>(kLanesPerVector)) {
        group->steps.Store(hn::Zero(DD()), first);
        PlaceWindows(reach, first, group);
    }
}

/// Moves every point that is still searched for by a step.
HWY_INLINE void StepLevel(const fh_image &target, bool compare, const Limits &limits, Group *group) {
    for (LaneBits rest = group->searched; rest != 0; rest &= rest - 1) {
        const int32_t k = __builtin_ctz(rest);
        const Sampling at = {group->pixel_x[k], group->pixel_y[k], group->weight_x[k], group->weight_y[k]};
        Operations::SumPicture(PixelAt(target, at), target.stride, at.wx, at.wy, group->patches[k], &group->sums[k],
                               compare ? &group->likeness[k] : nullptr);
    }
    ++group->iteration;
    for (int32_t first = 0; first < group->count; first += static_cast<int32_t>(kLanesPerVector)) {
        const LaneBits here = ((LaneBits{1} << kLanesPerVector) - 1) << first;
        if ((group->searched & here) != 0) StepLanes(limits, first, group);
    }
}

/// Takes down how a level's searches ended.
HWY_INLINE void FinishLevel(const LevelSearch &level, int32_t index, Group *group) {
    for (LaneBits rest = group->entered; rest != 0; rest &= rest - 1) {
        const int32_t k = __builtin_ctz(rest);
        const LaneBits bit = LaneBits{1} << k;
        fh_klt_result &result = group->results[k];
        result.iterations += static_cast<int32_t>(group->steps.of[k]);
        result.gain = static_cast<float>(group->gain.of[k]);
        result.correlation = result.residual = 0;
        result.status = (group->found & bit) != 0     ? FH_TRACK_FOUND
                        : (group->outside & bit) != 0 ? FH_TRACK_OUTSIDE
                                                      : FH_TRACK_DIVERGED;
        if ((group->ended & bit) == 0) continue;
        group->x[k] = static_cast<float>(group->at_x.of[k]) * static_cast<float>(1 << index);
        group->y[k] = static_cast<float>(group->at_y.of[k]) * static_cast<float>(1 << index);
        if (!level.is_finest) continue;
        fh_template *patch = &group->patches[k];
        patch->mean_value = group->solvers.mean_value.of[k];
        patch->value_variation = group->solvers.value_variation.of[k];
        const Likeness likeness = Compare(*patch, group->sums[k], group->likeness[k]);
        result.correlation = likeness.correlation;
        result.residual = likeness.residual;
    }
}

/// Takes the groups from their goals' predictions to what is found. While one group's steps are solved for, another's
/// pictures are summed.
void TrackGroups(const fh_pyramid &from, const fh_pyramid &to, bool warped, int32_t coarsest,
                 const fh_klt_options &options, Group *groups) {
    for (Group *group = groups; group != groups + kGroups; ++group) {
        for (int32_t k = 0; k < group->count; ++k) {
            group->results[k] = {FH_TRACK_OUTSIDE, 0, 0, 1, 0, 0, -1};
            group->x[k] = group->goals[k].x;
            group->y[k] = group->goals[k].y;
        }
    }
    const double max_shift = static_cast<float>(options.window);
    Limits limits = {};
    limits.reach = 0.5f * static_cast<float>(options.window - 1);
    limits.max_shift_squared = max_shift * max_shift;
    limits.max_iterations = options.max_iterations;
    for (int32_t index = coarsest; index >= options.finest_level; --index) {
        const LevelSearch level = SearchOf(index, options);
        const fh_image &target = to.levels[index];
        limits.epsilon = level.epsilon;
        limits.epsilon_squared = level.epsilon * level.epsilon;
        limits.small_step = std::max(limits.epsilon, kSmallStep);
        limits.width = static_cast<float>(target.width);
        limits.height = static_cast<float>(target.height);
        limits.brightness = level.brightness;
        bool searching = true;
        for (Group *group = groups; group != groups + kGroups; ++group) {
            PrepareLevel(from.levels[index], target, level, warped, options, limits.reach, group);
        }
        while (searching) {
            searching = false;
            for (Group *group = groups; group != groups + kGroups; ++group) {
                if (group->searched == 0) continue;
                StepLevel(target, level.is_finest, limits, group);
                searching = true;
            }
        }
        for (Group *group = groups; group != groups + kGroups; ++group) FinishLevel(level, index, group);
    }
    for (Group *group = groups; group != groups + kGroups; ++group) {
        for (int32_t k = 0; k < group->count; ++k) {
            Conclude(to.levels[0], group->x[k], group->y[k], options, &group->goals[k], &group->results[k]);
        }
    }
}

void KltTrack(const fh_pyramid &from, const fh_pyramid &to, const fh_point *from_points, const float *steps,
              fh_point *to_points, fh_klt_result *results, int32_t count, const fh_klt_options &options) {
    const int32_t coarsest = CoarsestLevel(from, to, options);
    const bool warped = steps != nullptr;
    Group groups[kGroups];
    for (Group &group : groups) {
        // Lanes without a point are solved for with the others.
        group.solvers = {};
        std::fill_n(group.sums, kGroup, StepSums{});
    }
    for (int32_t next = 0; next < count;) {
        int32_t members[kGroups][kGroup];
        for (int32_t g = 0; g < kGroups; ++g) {
            Group &group = groups[g];
            group.count = 0;
            for (; next < count && group.count < kGroup; ++next) {
                const fh_point start = from_points[next];
                if (!IsInside(from.levels[0], start.x, start.y)) {
                    results[next] = {FH_TRACK_OUTSIDE, 0, 0, 1, 0, 0, -1};
                    continue;
                }
                const int32_t k = group.count++;
                members[g][k] = next;
                group.starts[k] = start;
                group.goals[k] = to_points[next];
                if (warped) std::copy_n(steps + 4 * static_cast<ptrdiff_t>(next), 4, group.warps[k]);
            }
        }
        TrackGroups(from, to, warped, coarsest, options, groups);
        bool returning = false;
        for (int32_t g = 0; g < kGroups; ++g) {
            Group &group = groups[g];
            int32_t found_count = 0;
            for (int32_t k = 0; k < group.count; ++k) {
                const int32_t point = members[g][k];
                const fh_point predicted = to_points[point], found = group.goals[k];
                results[point] = group.results[k];
                to_points[point] = found;
                if (!(options.max_forward_backward > 0) || results[point].status != FH_TRACK_FOUND) continue;
                members[g][found_count] = point;
                group.starts[found_count] = found;
                group.goals[found_count] = StartOfWayBack(from.levels[0], from_points[point], predicted, found);
                if (warped) InvertStep(steps + 4 * static_cast<ptrdiff_t>(point), group.warps[found_count]);
                ++found_count;
            }
            group.count = found_count;
            returning = returning || found_count > 0;
        }
        if (!returning) continue;
        TrackGroups(to, from, warped, coarsest, options, groups);
        for (int32_t g = 0; g < kGroups; ++g) {
            for (int32_t k = 0; k < groups[g].count; ++k) {
                const int32_t point = members[g][k];
                ConcludeWayBack(groups[g].results[k], from_points[point], groups[g].goals[k], options, &results[point]);
            }
        }
    }
}
