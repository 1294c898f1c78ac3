// Templates: gradients and sums of a sampled patch. Included inside a target's namespace by klt_vector.cpp, without an
// include guard for that reason.

/// Everything that a template's sums hold, over at most kRowsPerSum rows.
template <class D>
struct TemplateSummer {
    ProductSum<D> t, q, qq, qt, x, y, xx, xy, yy, xq, yq, xt, yt;

    HWY_INLINE TemplateSummer() {}

    template <bool kWithValues>
    HWY_INLINE void Add(hn::Vec<D> ones, hn::Vec<D> level, hn::Vec<D> quarter, hn::Vec<D> gradient_x,
                        hn::Vec<D> gradient_y) {
        t.Add(level, ones);
        x.Add(gradient_x, ones);
        y.Add(gradient_y, ones);
        xx.Add(gradient_x, gradient_x);
        xy.Add(gradient_x, gradient_y);
        yy.Add(gradient_y, gradient_y);
        xt.Add(gradient_x, level);
        yt.Add(gradient_y, level);
        if constexpr (kWithValues) {
            q.Add(quarter, ones);
            qq.Add(quarter, quarter);
            qt.Add(quarter, level);
            xq.Add(gradient_x, quarter);
            yq.Add(gradient_y, quarter);
        }
    }

    /// With `kAdd`, to what is there.
    template <bool kWithValues, bool kAdd>
    HWY_INLINE void Store(TemplateSums *sums) const {
        const hn::RepartitionToWide<D> d32;
        StoreTotals<kAdd>(d32, t.Get(), x.Get(), y.Get(), xx.Get(), &sums->t);
        StoreTotals<kAdd>(d32, xy.Get(), yy.Get(), xt.Get(), yt.Get(), &sums->xy);
        if constexpr (kWithValues) {
            StoreTotals<kAdd>(d32, q.Get(), qq.Get(), qt.Get(), xq.Get(), &sums->q);
            const double total = hn::GetLane(hn::SumOfLanes(d32, yq.Get()));
            sums->yq = kAdd ? sums->yq + total : total;
        }
    }
};

/// Row pairs come from the rim as two loads.
template <int32_t kRows, class D>
HWY_INLINE hn::Vec<D> LoadRim(D d, const int16_t *p) {
    if constexpr (kRows == 1) {
        return hn::LoadU(d, p);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, hn::LoadU(half, p + kRimStride), hn::LoadU(half, p));
    }
}

/// Neighbouring columns of one row of the rim, or of two.
template <int32_t kRows, class D>
struct RimColumns {
    hn::Vec<D> left, center, right;

    HWY_INLINE RimColumns() {}
    HWY_INLINE explicit RimColumns(const int16_t *p)
        : left(LoadRim<kRows>(D(), p - 1)), center(LoadRim<kRows>(D(), p)), right(LoadRim<kRows>(D(), p + 1)) {}
};

/// Three neighbouring rows of the rim, or three pairs one row apart, each read once on the way down.
template <int32_t kRows, class D>
struct RimRows {
    RimColumns<kRows, D> above, middle, below;

    /// So that advancing to the next row comes to the first one with a row above it.
    HWY_INLINE explicit RimRows(const int16_t *first) {
        if constexpr (kRows == 1) {
            middle = RimColumns<kRows, D>(first);
            below = RimColumns<kRows, D>(first + kRimStride);
        } else {
            below = RimColumns<kRows, D>(first);
        }
    }

    HWY_INLINE void Advance(const int16_t *row) {
        if constexpr (kRows == 1) {
            above = middle;
            middle = below;
            below = RimColumns<kRows, D>(row + kRimStride);
        } else {
            above = below;
            below = RimColumns<kRows, D>(row);
            const D d;
            middle.left = hn::ConcatLowerUpper(d, below.left, above.left);
            middle.center = hn::ConcatLowerUpper(d, below.center, above.center);
            middle.right = hn::ConcatLowerUpper(d, below.right, above.right);
        }
    }
};

template <int32_t kStride, bool kSmooth>
HWY_INLINE void SumTemplateWith(const int16_t *rim, fh_template *patch, TemplateSums *sums) {
    using S = Shape<kStride>;
    using D = typename S::D;
    const D d;
    const auto zero = hn::Zero(d);
    const auto to_gradient = [&](hn::Vec<D> difference)
                                 HWY_ATTR { return hn::ShiftRight<4>(hn::Add(difference, hn::Set(d, int16_t{8}))); };
    const auto middle_weight = hn::Set(d, static_cast<int16_t>(kScharrMiddle));
    const auto side_weight = hn::Set(d, static_cast<int16_t>(kScharrSide));
    const auto smoothed = [&](hn::Vec<D> before, hn::Vec<D> middle, hn::Vec<D> after) HWY_ATTR {
        return hn::Add(hn::MulFixedPoint15(middle, middle_weight),
                       hn::MulFixedPoint15(hn::Add(before, after), side_weight));
    };
    const auto row_index = [&]() HWY_ATTR {
        if constexpr (S::kRows == 1) {
            return zero;
        } else {
            const hn::Half<D> half;
            return hn::Combine(d, hn::Set(half, int16_t{1}), hn::Zero(half));
        }
    }();
    const auto in_range = [&](hn::Vec<D> v, int32_t begin, int32_t end) HWY_ATTR {
        return hn::And(hn::Gt(v, hn::Set(d, static_cast<int16_t>(begin - 1))),
                       hn::Lt(v, hn::Set(d, static_cast<int16_t>(end))));
    };
    if constexpr (S::kRows == 2) {
        // A pair of rows that begins at the last one reads one more.
        const int32_t place = patch->window * kStride;
        hn::StoreU(zero, d, patch->value + place);
        hn::StoreU(zero, d, patch->gradient_x + place);
        hn::StoreU(zero, d, patch->gradient_y + place);
    }
    const bool is_whole =
        patch->left == 0 && patch->top == 0 && patch->right == patch->window && patch->bottom == patch->window;
    for (int32_t part = 0; part < patch->window; part += kRowsPerSum) {
        const int32_t part_end = std::min(part + kRowsPerSum, patch->window);
        TemplateSummer<D> summer;
        for (int32_t block = 0; block < S::kBlocks; ++block) {
            const int32_t first = block * S::kLanes;
            auto columns = hn::Iota(d, static_cast<int16_t>(first));
            if constexpr (S::kRows == 2) {
                const hn::Half<D> half;
                columns = hn::Combine(d, hn::Iota(half, int16_t{0}), hn::Iota(half, int16_t{0}));
            }
            const auto in_columns = in_range(columns, patch->left, patch->right);
            const int16_t *row = rim + part * kRimStride + first + 1;
            RimRows<S::kRows, D> rows(row);
            for (int32_t v = part; v < part_end; v += S::kRows) {
                row += S::kRows * kRimStride;
                rows.Advance(row);
                auto counts = in_columns;
                if (!is_whole || v + S::kRows > patch->window) {
                    const auto index = hn::Add(row_index, hn::Set(d, static_cast<int16_t>(v)));
                    counts = hn::And(in_columns, in_range(index, patch->top, patch->bottom));
                }
                const auto ones = hn::IfThenElseZero(counts, hn::Set(d, int16_t{1}));
                auto level = hn::Sub(hn::ShiftRight<1>(hn::Add(rows.middle.center, hn::Set(d, int16_t{1}))),
                                     hn::Set(d, static_cast<int16_t>(kLevelOffset)));
                auto across = hn::Sub(rows.middle.right, rows.middle.left);
                auto down = hn::Sub(rows.below.center, rows.above.center);
                if constexpr (kSmooth) {
                    across = smoothed(hn::Sub(rows.above.right, rows.above.left), across,
                                      hn::Sub(rows.below.right, rows.below.left));
                    down = smoothed(hn::Sub(rows.below.left, rows.above.left), down,
                                    hn::Sub(rows.below.right, rows.above.right));
                }
                level = hn::IfThenElseZero(counts, level);
                const auto x = hn::IfThenElseZero(counts, to_gradient(across));
                const auto y = hn::IfThenElseZero(counts, to_gradient(down));
                const int32_t place = v * kStride + first;
                // Values serve the gain and the likeness, which only the finest level asks for.
                auto quarter = zero;
                if constexpr (!kSmooth) {
                    quarter = hn::IfThenElseZero(counts, hn::ShiftRight<3>(hn::Add(level, hn::Set(d, int16_t{4}))));
                    hn::StoreU(quarter, d, patch->value + place);
                }
                hn::StoreU(x, d, patch->gradient_x + place);
                hn::StoreU(y, d, patch->gradient_y + place);
                summer.template Add<!kSmooth>(ones, level, quarter, x, y);
            }
        }
        if (part == 0) {
            summer.template Store<!kSmooth, false>(sums);
        } else {
            summer.template Store<!kSmooth, true>(sums);
        }
    }
}
