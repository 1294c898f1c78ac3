// Affine sampling, a 32-bit lane a place. Pixels are fetched one by one, since gathers are slower than that on many
// processors. Included inside a target's namespace, once per file, without an include guard for that reason.

/// As SampleAffineSingly.
inline int32_t SampleAffine(const fh_image &source, const AffineGrid &grid, int16_t *out, int32_t stride) {
    constexpr int32_t kMostLanes = 64;
    const hn::CappedTag<float, kMostLanes> d;
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<int16_t, decltype(d)> d16;
    const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
    if (source.width < 2 || source.height < 2 || static_cast<int64_t>(source.height) * source.stride > INT32_MAX) {
        return SampleAffineSingly(source, grid, out, stride);
    }
    const int32_t total = grid.columns * grid.rows;
    // Places are taken in the order of reading, so that no lane is idle at the end of a row. All pixels are fetched
    // between two passes: a vector that was just written in pieces can't be read at once.
    constexpr int32_t kMost = FH_AFFINE_MAX_SIDE * FH_AFFINE_MAX_SIDE + kMostLanes;
    alignas(64) int16_t samples[kMost];
    alignas(64) int32_t offsets[kMost], pixels[kMost], weights_x[kMost], weights_y[kMost];
    const auto columns = hn::Set(d, static_cast<float>(grid.columns)), one = hn::Set(d, 1.0f);
    // The middle of a place is half a place from where its row ends: rounding can't reach that.
    const auto index = hn::Iota(d, 0.0f);
    auto row = hn::Floor(hn::Div(hn::Add(index, hn::Set(d, 0.5f)), columns));
    auto column = hn::Sub(index, hn::Mul(row, columns));
    const auto next_column = hn::Set(d, static_cast<float>(lanes % grid.columns));
    const auto next_row = hn::Set(d, static_cast<float>(lanes / grid.columns));
    const auto reach_u = hn::Set(d, AffineGrid::Reach(grid.columns));
    const auto reach_v = hn::Set(d, AffineGrid::Reach(grid.rows));
    const auto last_x = hn::Set(d, static_cast<float>(source.width - 1));
    const auto last_y = hn::Set(d, static_cast<float>(source.height - 1));
    const auto last_left = hn::Set(di, source.width - 2), last_top = hn::Set(di, source.height - 2);
    const auto row_bytes = hn::Set(di, source.stride), low = hn::Set(di, 255);
    const auto weights = hn::Set(d, 32768.0f);
    const auto half = hn::Set(di, 16384);
    const auto clamped = [&](hn::Vec<decltype(d)> x, hn::Vec<decltype(d)> last) HWY_ATTR {
        return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::IfThenElse(hn::Lt(x, last), x, last));
    };
    const auto place = [&](float center, float across, float down) HWY_ATTR {
        return hn::Add(hn::Set(d, center), hn::Add(hn::Mul(hn::Set(d, across), hn::Sub(column, reach_u)),
                                                   hn::Mul(hn::Set(d, down), hn::Sub(row, reach_v))));
    };
    const auto blended =
        [&](hn::Vec<decltype(di)> from, hn::Vec<decltype(di)> to, hn::Vec<decltype(di)> weight)
            HWY_ATTR { return hn::Add(from, hn::ShiftRight<15>(hn::Add(hn::Mul(hn::Sub(to, from), weight), half))); };
    int32_t outside = 0;
    for (int32_t first = 0; first < total; first += lanes) {
        const auto x = place(grid.center.x, grid.step[0], grid.step[1]);
        const auto y = place(grid.center.y, grid.step[2], grid.step[3]);
        const auto inside_x = clamped(x, last_x), inside_y = clamped(y, last_y);
        const auto inside = hn::And(hn::Eq(x, inside_x), hn::Eq(y, inside_y));
        const auto counts = hn::FirstN(d, static_cast<size_t>(total - first));
        outside += static_cast<int32_t>(hn::CountTrue(d, hn::AndNot(inside, counts)));
        // The last pixel is the right or lower one of its pair, with all of the weight.
        const auto at_x = hn::Min(hn::ConvertTo(di, inside_x), last_left);
        const auto at_y = hn::Min(hn::ConvertTo(di, inside_y), last_top);
        const auto wx = hn::ConvertTo(di, hn::Mul(hn::Sub(inside_x, hn::ConvertTo(d, at_x)), weights));
        const auto wy = hn::ConvertTo(di, hn::Mul(hn::Sub(inside_y, hn::ConvertTo(d, at_y)), weights));
        hn::Store(wx, di, weights_x + first);
        hn::Store(wy, di, weights_y + first);
        hn::Store(hn::Add(hn::Mul(at_y, row_bytes), at_x), di, offsets + first);
        column = hn::Add(column, next_column);
        row = hn::Add(row, next_row);
        const auto wraps = hn::Ge(column, columns);
        column = hn::Sub(column, hn::IfThenElseZero(wraps, columns));
        row = hn::Add(row, hn::IfThenElseZero(wraps, one));
    }
    for (int32_t i = 0; i < total; ++i) {
        const uint8_t *top = source.data + offsets[i];
        uint16_t upper, lower;
        std::memcpy(&upper, top, 2);
        std::memcpy(&lower, top + source.stride, 2);
        pixels[i] = static_cast<int32_t>(upper | static_cast<uint32_t>(lower) << 16);
    }
    for (int32_t first = 0; first < total; first += lanes) {
        const auto four = hn::Load(di, pixels + first);
        const auto wx = hn::Load(di, weights_x + first), wy = hn::Load(di, weights_y + first);
        const auto level = [&](hn::Vec<decltype(di)> shifted)
                               HWY_ATTR { return hn::ShiftLeft<kSampleBits>(hn::And(shifted, low)); };
        const auto upper = blended(level(four), level(hn::ShiftRight<8>(four)), wx);
        const auto lower = blended(level(hn::ShiftRight<16>(four)), level(hn::ShiftRight<24>(four)), wx);
        const auto sample = blended(upper, lower, wy);
        hn::StoreU(hn::DemoteTo(d16, sample), d16, samples + first);
    }
    if (stride == grid.columns) {
        std::copy_n(samples, total, out);
        return outside;
    }
    for (int32_t v = 0; v < grid.rows; ++v) {
        std::copy_n(samples + v * grid.columns, grid.columns, out + static_cast<ptrdiff_t>(v) * stride);
    }
    return outside;
}
