#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "geometry/similarity.h"
#include "mapping/map.h"
#include "persistence/transfer_map.h"
#include "random_numbers.h"
#include "tracking_checks.h"

using namespace foothold;
using foothold::checks::RandomNumbers;

namespace {

constexpr double kFocal = 500;
constexpr int kPoints = 60;

void add_keyframes(Map *map, int count, RandomNumbers &random) {
    for (int i = 0; i < count; ++i) {
        Keyframe keyframe;
        keyframe.id = map->next_keyframe_id();
        keyframe.world_from_camera = SE3{random.rotation(1), random.vector()};
        keyframe.twist.linear = random.vector();
        map->keyframes.push_back(std::move(keyframe));
    }
}

/// Points in any keyframe, each seen from two others; every fifth is forgotten again.
void add_points(Map *map, RandomNumbers &random) {
    const int count = static_cast<int>(map->keyframes.size());
    for (int i = 0; i < kPoints; ++i) {
        const int index = map->add_point();
        HostedPoint &point = map->points[index];
        point.state = PointState::mature;
        point.host = static_cast<int>(random.uniform(0, count));
        point.host_pixel = point.host_raw_pixel = 100 * random.vector2();
        point.inverse_depth = random.uniform(0.2, 2);
        point.inverse_depth_variance = 1e-6;
        point.patch.levels = 1;
        point.patch.pixels[0].fill(90);
        point.patch.center[0] = Eigen::Vector2f::Constant(HostPatch::kSize / 2);
        for (int k = 1; k <= 2; ++k) {
            map->keyframes[(point.host + k) % count].observations.push_back({index, 100 * random.vector2()});
            ++point.observation_count;
        }
        if (i % 10 == 4) map->remove_point(index);
    }
    std::vector<uint8_t> chosen(map->points.size(), 0);
    for (size_t i = 9; i < chosen.size(); i += 10) chosen[i] = 1;
    map->remove_points(chosen);
}

std::map<int64_t, Eigen::Vector3d> positions(const Map &map, const Similarity &change) {
    std::map<int64_t, Eigen::Vector3d> all;
    for (const HostedPoint &point : map.points) {
        if (point.state == PointState::mature) all[point.id] = change * map.position_in_world(point);
    }
    return all;
}

/// Keyframe, point, and where it is seen.
std::set<std::pair<std::pair<int64_t, int64_t>, double>> sightings(const Map &map) {
    std::set<std::pair<std::pair<int64_t, int64_t>, double>> all;
    for (const Keyframe &keyframe : map.keyframes) {
        for (const Sighting &o : keyframe.observations)
            all.insert({{keyframe.id, map.points[o.point].id}, o.pixel.x()});
    }
    return all;
}

bool is_kept(const Map &map) {
    const Map settled = map.settled(1e3);
    ArchiveWriter writer;
    Map::transfer(writer, settled);
    ArchiveReader reader(writer.bytes());
    Map again;
    Map::transfer(reader, again);
    return reader.is_sound() && reader.is_at_end() && again.keyframes.size() == map.keyframes.size() &&
           sightings(again).size() == sightings(map).size() && again.next_keyframe_id() == map.next_keyframe_id();
}

}  // namespace

int32_t fh_check_joined_maps(uint64_t seed, fh_check_joined_maps_report *out_report) {
    RandomNumbers random(seed);
    // The first world, which is left; another one, left too; and the first gone back to and gone on with.
    Map map;
    map.focal = kFocal;
    add_keyframes(&map, 4, random);
    add_points(&map, random);
    Map first = map.leave();
    add_keyframes(&map, 3, random);
    add_points(&map, random);
    Map second = map.leave();
    map.resume(std::move(first));
    const int64_t newest = second.next_keyframe_id();
    add_keyframes(&map, 1, random);
    add_points(&map, random);

    Similarity change;
    change.scale = random.uniform(0.3, 3);
    change.rotation = random.rotation(2);
    change.translation = random.vector();
    std::map<int64_t, Eigen::Vector3d> expected = positions(map, Similarity());
    const size_t known = expected.size();
    const auto joining = positions(second, change);
    expected.insert(joining.begin(), joining.end());
    auto seen = sightings(map);
    seen.merge(sightings(second));

    fh_check_joined_maps_report report = {};
    for (int i = 0; i < 20; ++i) {
        const Eigen::Vector3d point = random.vector();
        report.worst_return_error =
            std::max(report.worst_return_error, (change.inverse() * (change * point) - point).norm());
    }
    second.transform(change);
    map.take_in(std::move(second));
    const auto found = positions(map, Similarity());
    report.repeated_ids = static_cast<int32_t>(known + joining.size() - found.size());
    for (const auto &[id, position] : found) {
        const auto before = expected.find(id);
        const double error = before == expected.end() ? 1e9 : (before->second - position).norm();
        report.worst_position_error = std::max(report.worst_position_error, error);
    }
    const auto still_seen = sightings(map);
    for (const auto &sighting : still_seen) report.wrong_sightings += !seen.contains(sighting);
    report.wrong_sightings += static_cast<int32_t>(seen.size() - still_seen.size());
    std::set<int64_t> ids;
    for (const Keyframe &keyframe : map.keyframes) report.repeated_ids += !ids.insert(keyframe.id).second;
    report.repeated_ids += map.next_keyframe_id() != newest + 1;
    report.repeated_ids += expected.contains(map.points[map.add_point()].id);
    report.is_kept = is_kept(map);
    *out_report = report;
    return 0;
}
