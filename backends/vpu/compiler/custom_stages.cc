#include "dovetail/backends/vpu/compiler/custom_stages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

// Sums of these are far below 64 bits.
constexpr double kMostCycles = 1e15;

int64_t Cycles(double cycles) {
  return std::llround(std::min(cycles, kMostCycles));
}

int64_t ShavesFor(const Machine& machine, const CustomWork& work) {
  const auto all = static_cast<int64_t>(machine.shaves);
  const int64_t most =
      work.max_shaves > 0 ? std::min(all, work.max_shaves) : all;
  return std::clamp<int64_t>(static_cast<int64_t>(work.groups.size()), 1, most);
}

double ComputeCycles(const Machine& machine, const GroupWork& group) {
  return machine.shave_operation_cycles * static_cast<double>(group.operations);
}

double TransferCycles(const Machine& machine, const GroupWork& group) {
  return machine.cycles_of_ns(
      machine.burst_ns * static_cast<double>(group.pieces) +
      machine.burst_byte_ns *
          static_cast<double>(group.in_bytes + group.out_bytes));
}

// When the last SHAVE is done, of groups that take so long.
template <typename CyclesOf>
double Deal(const CustomWork& work, int64_t shaves, CyclesOf cycles_of) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int64_t i = 0; i < shaves; ++i) free_at.push(0);
  double end = 0;
  for (const GroupWork& group : work.groups) {
    const double done = free_at.top() + cycles_of(group);
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

struct Transfers {
  double cycles = 0;
  int64_t in_bytes = 0, out_bytes = 0;
};

Transfers AllTransfers(const Machine& machine, const CustomWork& work) {
  Transfers all;
  for (const GroupWork& group : work.groups) {
    all.cycles += TransferCycles(machine, group);
    all.in_bytes += group.in_bytes;
    all.out_bytes += group.out_bytes;
  }
  return all;
}

std::string Bound(double fixed, double compute, double rest,
                  const Transfers& transfers) {
  if (fixed > rest) return "fixed";
  if (compute >= transfers.cycles) return "compute";
  return transfers.in_bytes >= transfers.out_bytes ? "input" : "output";
}

Stage StageOf(const Machine& machine, const CustomWork& work) {
  const int64_t shaves = ShavesFor(machine, work);
  const auto compute_of = [&](const GroupWork& group) {
    return ComputeCycles(machine, group);
  };
  const double compute = Deal(work, shaves, compute_of);
  const double dealt = Deal(work, shaves, [&](const GroupWork& group) {
    return compute_of(group) + TransferCycles(machine, group);
  });
  const Transfers transfers = AllTransfers(machine, work);
  const double rest = std::max(dealt, transfers.cycles);
  const double moved = std::max<double>(
      1, static_cast<double>(transfers.in_bytes + transfers.out_bytes));
  const double in = static_cast<double>(transfers.in_bytes) / moved;
  Stage stage;
  stage.lane = Lane::kShave;
  stage.shaves = shaves;
  stage.bytes = transfers.in_bytes + transfers.out_bytes;
  stage.compute_cycles = Cycles(compute);
  stage.input_cycles = Cycles(transfers.cycles * in);
  stage.output_cycles = Cycles(transfers.cycles * (1 - in));
  stage.cycles = Cycles(machine.unary_stage_cycles) + Cycles(rest);
  stage.ddr_cycles = std::min(stage.cycles, Cycles(transfers.cycles));
  stage.bound = Bound(machine.unary_stage_cycles, compute, rest, transfers);
  stage.reason = absl::StrCat(work.groups.size(), " groups on ", shaves,
                              shaves == 1 ? " SHAVE" : " SHAVEs");
  return stage;
}

}  // namespace

void AddCustomStages(const Machine& machine, int index, absl::string_view name,
                     absl::string_view reason,
                     const std::vector<CustomWork>& works, Stages& stages) {
  for (const CustomWork& work : works) {
    Stage stage = StageOf(machine, work);
    stage.layer = index;
    stage.name = works.size() == 1 ? std::string(name)
                                   : absl::StrCat(name, "@", work.kernel);
    stage.reason = absl::StrCat(reason, "; ", stage.reason);
    stages.push_back(std::move(stage));
  }
}

}  // namespace dovetail::vpu
