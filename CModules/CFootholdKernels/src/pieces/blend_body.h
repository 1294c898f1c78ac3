// Levels between four pixels, a lane a place. Included inside a target's namespace, once per file, without an include
// guard for that reason.

/// As LevelAt: `four` holds, from the lowest byte on, the pixel left above a place, the one below that, and the two to
/// the right of these.
template <class D, class V>
HWY_INLINE hn::Vec<D> LevelsBetween(D d, V four, hn::Vec<D> share_x, hn::Vec<D> share_y) {
    const auto low = hn::Set(hn::RebindToSigned<D>(), 255);
    const auto top_left = hn::ConvertTo(d, hn::And(four, low));
    const auto bottom_left = hn::ConvertTo(d, hn::And(hn::ShiftRight<8>(four), low));
    const auto top_right = hn::ConvertTo(d, hn::And(hn::ShiftRight<16>(four), low));
    const auto bottom_right = hn::ConvertTo(d, hn::And(hn::ShiftRight<24>(four), low));
    const auto left = hn::Add(top_left, hn::Mul(share_y, hn::Sub(bottom_left, top_left)));
    const auto right = hn::Add(top_right, hn::Mul(share_y, hn::Sub(bottom_right, top_right)));
    return hn::Add(left, hn::Mul(share_x, hn::Sub(right, left)));
}
