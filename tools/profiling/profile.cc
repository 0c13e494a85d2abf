#include "dovetail/tools/profiling/profile.h"

#include <algorithm>
#include <utility>

namespace dovetail::profiling {
namespace {

std::vector<NamedTime> LongestFirst(
    const std::map<std::string, int64_t>& sums) {
  std::vector<NamedTime> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NamedTime& a, const NamedTime& b) {
                     return a.second > b.second;
                   });
  return sorted;
}

}  // namespace

void Profile::Add(Inference inference) {
  for (const ProfilingRecord& record : inference.records) {
    if (record.status != ProfilingRecord::Status::kExecuted) continue;
    const bool is_layer = record.kind == ProfilingRecord::Kind::kLayer;
    Entry(record, is_layer ? layers_ : stages_).ns += record.duration_ns;
    if (is_layer) layers_ns_ += record.duration_ns;
  }
  ++inferences_;
  wall_ns_ += inference.duration_ns;
  kept_.push_back(std::move(inference));
  if (kept_.size() > kKept) kept_.pop_front();
}

TimedPart& Profile::Entry(const ProfilingRecord& record,
                          std::vector<TimedPart>& parts) {
  const auto [it, is_new] = index_.emplace(
      std::tuple(record.kind, record.name, record.type, record.kernel),
      parts.size());
  if (is_new) parts.push_back({record, 0});
  return parts[it->second];
}

std::vector<NamedTime> Profile::ByType() const {
  std::map<std::string, int64_t> sums;
  for (const TimedPart& layer : layers_) sums[layer.record.type] += layer.ns;
  return LongestFirst(sums);
}

std::vector<NamedTime> Profile::ByKernel() const {
  std::map<std::string, int64_t> sums;
  for (const TimedPart& layer : layers_) {
    sums[layer.record.type + "  " + layer.record.kernel] += layer.ns;
  }
  return LongestFirst(sums);
}

double Profile::Milliseconds(int64_t ns) const {
  return static_cast<double>(ns) / 1e6 /
         static_cast<double>(std::max<int64_t>(1, inferences_));
}

double Profile::Percent(int64_t ns) const {
  return 100 * static_cast<double>(ns) /
         static_cast<double>(std::max<int64_t>(1, layers_ns_));
}

std::string CounterOfStage(const std::string& stage) {
  static const auto& counters = *new std::map<std::string, std::string>{
      {"preprocess", "1. input preprocessing"},
      {"input copy", "2. input transfer to a device"},
      {"execute", "3. execution time"},
      {"output copy", "4. output transfer from a device"},
      {"postprocess", "5. output postprocessing"},
  };
  const auto it = counters.find(stage);
  return it == counters.end() ? "" : it->second;
}

}  // namespace dovetail::profiling
