#include "dovetail/backends/gpu/plan/joined_launches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/plan/faults.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

// More arguments than these gain little.
constexpr int64_t kMaxBuffers = 100;
// Shares of a step: where there are many threads, several begin with one.
constexpr int kMaxSlots = 8;
// Work groups a thread: a thread that has given up waiting comes back so often.
constexpr int kGroupsEachThread = 4;

int64_t BuffersOf(const DeviceTraits& device) {
  constexpr int64_t kOtherArguments = 2 * sizeof(void*) + 2 * 64;
  return std::min<int64_t>(
      kMaxBuffers,
      (device.max_parameter_bytes - kOtherArguments) / int64_t{sizeof(void*)});
}

// Equal for addresses in one buffer.
using BufferKey = std::tuple<Address::Space, int, const void*>;
BufferKey KeyOf(const Address& address) {
  return {address.space, address.index, address.constant};
}

// An operand as the table says it.
struct Operand {
  Address address;  // nowhere: the faults'
  int32_t first = 0;
};

// In the order of the kernel's arguments.
std::vector<Operand> OperandsOf(const Plan& plan, size_t number) {
  const PlannedStep& step = plan.steps[number];
  const LaunchStep& launch = *AsLaunch(step);
  std::vector<Address> addresses = step.inputs;
  addresses.insert(addresses.end(), step.outputs.begin(), step.outputs.end());
  addresses.push_back(step.scratch);
  std::vector<Operand> operands;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (addresses[i].space == Address::Space::kNowhere) continue;
    const int64_t first = addresses[i].offset / launch.element_bytes[i];
    operands.push_back({addresses[i], static_cast<int32_t>(first)});
  }
  if (launch.source.reports_faults) {
    operands.push_back({{}, Faults::OffsetOf(number)});
  }
  return operands;
}

int64_t ItemsOf(const NdRange& range) {
  int64_t items = 1;
  for (int i = 0; i < range.dims; ++i) {
    items *= static_cast<int64_t>(range.global[i]);
    if (items > std::numeric_limits<int32_t>::max()) return -1;
  }
  return items;
}

// The launch, if it can be part of a group; null otherwise.
const LaunchStep* AsPart(const PlannedStep& step) {
  const LaunchStep* const launch = AsLaunch(step);
  if (launch == nullptr || !CanBeStep(launch->source)) return nullptr;
  return ItemsOf(launch->range) > 0 ? launch : nullptr;
}

class Joiner {
 public:
  Joiner(const Plan& plan, int64_t max_buffers, int slots)
      : plan_(plan), max_buffers_(max_buffers), slots_(slots) {}

  JoinedLaunches Join() {
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      if (!AddToGroup(i)) {
        EndGroup();
        AddToGroup(i);
      }
    }
    EndGroup();
    if (joined_.groups.empty()) return {};
    WriteTable();
    size_t buffers = 0;
    for (LaunchGroup& group : joined_.groups) {
      buffers = std::max(buffers, group.buffers.size());
    }
    // An argument has to be something.
    for (LaunchGroup& group : joined_.groups) {
      group.buffers.resize(buffers, group.buffers.front());
    }
    joined_.source = PersistentKernel(sources_, static_cast<int>(buffers));
    return std::move(joined_);
  }

 private:
  // False: it cannot be in one group with those before, or in none.
  bool AddToGroup(size_t i) {
    if (AsPart(plan_.steps[i]) == nullptr) return false;
    std::map<BufferKey, int> buffers = buffers_;
    std::vector<Address> added;
    for (const Operand& operand : OperandsOf(plan_, i)) {
      const int number = static_cast<int>(buffers.size());
      if (buffers.emplace(KeyOf(operand.address), number).second) {
        added.push_back(operand.address);
      }
    }
    if (static_cast<int64_t>(buffers.size()) > max_buffers_) return false;
    if (group_.count == 0) group_.first = i;
    ++group_.count;
    buffers_ = std::move(buffers);
    group_.buffers.insert(group_.buffers.end(), added.begin(), added.end());
    return true;
  }

  void EndGroup() {
    if (group_.count > 1) joined_.groups.push_back(std::move(group_));
    group_ = {};
    buffers_.clear();
  }

  // For each group the beginnings of its entries, and then these.
  void WriteTable() {
    std::vector<int32_t>& table = joined_.table;
    for (LaunchGroup& group : joined_.groups) {
      const auto count = static_cast<int32_t>(group.count);
      const int32_t stride = PaddedCount(count);
      group.numbers = {
          static_cast<int32_t>(table.size()), count, slots_, stride, 0, {}};
      joined_.state_ints =
          std::max(joined_.state_ints, StateInts(stride, slots_));
      table.resize(table.size() + group.count);
      std::map<BufferKey, int32_t> numbers;
      for (const Address& buffer : group.buffers) {
        numbers.emplace(KeyOf(buffer), static_cast<int32_t>(numbers.size()));
      }
      for (size_t i = 0; i < group.count; ++i) {
        table[group.numbers.first + i] = static_cast<int32_t>(table.size());
        WriteEntry(group.first + i, numbers);
      }
    }
  }

  void WriteEntry(size_t step, const std::map<BufferKey, int32_t>& numbers) {
    const LaunchStep& launch = *AsLaunch(plan_.steps[step]);
    const NdRange& range = launch.range;
    StepEntry entry = {};
    entry.function = FunctionOf(launch.source);
    entry.items = static_cast<int32_t>(ItemsOf(range));
    entry.grain = range.dims == 1 && range.local[0] != 0
                      ? static_cast<int32_t>(range.local[0])
                      : 1;
    entry.units = static_cast<int32_t>(CeilDivide(entry.items, entry.grain));
    for (int i = 0; i < 3; ++i) {
      entry.sizes[i] =
          i < range.dims ? static_cast<int32_t>(range.global[i]) : 1;
    }
    std::vector<int32_t> operands;
    for (const Operand& operand : OperandsOf(plan_, step)) {
      operands.push_back(numbers.at(KeyOf(operand.address)));
      operands.push_back(operand.first);
    }
    constexpr size_t kHeader = sizeof(StepEntry) / sizeof(int32_t);
    entry.numbers = static_cast<int32_t>(kHeader + operands.size());
    const auto header = std::bit_cast<std::array<int32_t, kHeader>>(entry);
    std::vector<int32_t>& table = joined_.table;
    table.insert(table.end(), header.begin(), header.end());
    table.insert(table.end(), operands.begin(), operands.end());
    const size_t end =
        table.size() + launch.source.number_vectors * kNumbersTogether;
    for (const ScalarArgument& scalar : launch.scalars) {
      table.push_back(std::visit(
          [](auto value) { return std::bit_cast<int32_t>(value); }, scalar));
    }
    table.resize(end);
  }

  int32_t FunctionOf(const KernelSource& source) {
    const absl::string_view zero("\0", 1);
    const auto [it, is_new] = functions_.emplace(
        absl::StrCat(source.text, zero, absl::StrJoin(source.helpers, zero)),
        static_cast<int32_t>(sources_.size()));
    if (is_new) sources_.push_back(&source);
    return it->second;
  }

  const Plan& plan_;
  const int64_t max_buffers_;
  const int slots_;
  JoinedLaunches joined_;
  LaunchGroup group_;
  std::map<BufferKey, int> buffers_;  // of group_
  std::vector<const KernelSource*> sources_;
  std::map<std::string, int32_t> functions_;
};

}  // namespace

const LaunchGroup* JoinedLaunches::GroupOf(size_t step) const {
  for (const LaunchGroup& group : groups) {
    if (step >= group.first && step - group.first < group.count) return &group;
  }
  return nullptr;
}

JoinedLaunches JoinLaunches(const Plan& plan, const DeviceTraits& device) {
  if (!device.is_cpu) return {};
  const int threads = std::max(1, device.compute_units);
  JoinedLaunches joined =
      Joiner(plan, BuffersOf(device), std::min(threads, kMaxSlots)).Join();
  joined.range.global[0] = static_cast<size_t>(threads) * kGroupsEachThread;
  joined.range.local[0] = 1;
  for (LaunchGroup& group : joined.groups) {
    group.numbers.groups = static_cast<int32_t>(joined.range.global[0]);
  }
  return joined;
}

}  // namespace dovetail::gpu
