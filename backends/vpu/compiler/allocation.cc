#include "dovetail/backends/vpu/compiler/allocation.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/plan/arena_planner.h"
#include "dovetail/backends/vpu/compiler/location.h"

namespace dovetail::vpu {
namespace {

// The last layer that reads each, also by way of views, whose own readers count
// for what they name.
std::vector<int> LastUses(const Network& network) {
  std::vector<int> last(network.size());
  for (size_t i = network.size(); i-- > 0;) {
    const int own = static_cast<int>(i);
    last[i] = std::max(last[i], own);
    const bool is_view = network[i].kind == LayerKind::kView;
    for (const int input : network[i].inputs) {
      last[input] = std::max(last[input], is_view ? last[i] : own);
    }
  }
  return last;
}

std::vector<Allocation> WithoutOffsets(const Network& network,
                                       const std::vector<std::string>& ddr) {
  const std::vector<int> last = LastUses(network);
  std::vector<Allocation> all;
  for (size_t i = 0; i < network.size(); ++i) {
    if (network[i].kind == LayerKind::kView) continue;
    Allocation allocation;
    allocation.layer = static_cast<int>(i);
    allocation.place = ddr[i].empty() ? Place::kCmx : Place::kDdr;
    allocation.bytes = OutputBytes(network[i]);
    allocation.last = last[i];
    all.push_back(allocation);
  }
  return all;
}

// Gives offsets to those that are there, kSpilled where there is no room.
void Fill(Place place, const ArenaOptions& options,
          std::vector<Allocation>& all) {
  std::vector<ArenaRequest> requests;
  for (const Allocation& one : all) {
    if (one.place != place) continue;
    requests.push_back({one.bytes, one.layer, one.last});
  }
  const ArenaPlan plan = PlanArena(requests, options);
  size_t next = 0;
  for (Allocation& one : all) {
    if (one.place == place) one.offset = plan.offsets[next++];
  }
}

}  // namespace

std::vector<Allocation> Allocate(const Machine& machine, const Network& network,
                                 std::vector<std::string>& ddr) {
  std::vector<Allocation> all = WithoutOffsets(network, ddr);
  ArenaOptions cmx;
  cmx.capacity = static_cast<int64_t>(machine.cmx_bytes());
  Fill(Place::kCmx, cmx, all);
  for (Allocation& one : all) {
    if (one.place == Place::kCmx && one.offset == ArenaPlan::kSpilled) {
      one.place = Place::kDdr;
      ddr[one.layer] =
          absl::StrCat("spilled: ", one.bytes, " bytes find no room in ",
                       cmx.capacity, " of CMX beside what lives then");
    }
    one.reason = ddr[one.layer];
  }
  Fill(Place::kDdr, {}, all);
  return all;
}

}  // namespace dovetail::vpu
