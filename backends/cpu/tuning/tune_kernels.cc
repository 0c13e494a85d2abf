#include "dovetail/backends/cpu/tuning/tune_kernels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/attribute_text.h"

namespace dovetail::cpu {
namespace {

// Nodes of one problem.
struct Group {
  std::vector<const Node*> nodes;
  std::vector<std::string> others;
  int64_t nanoseconds = 0;
};

// Equal for nodes of equal problems.
std::string ProblemText(const OfferedKernels& offered) {
  constexpr int64_t kMaxElements = 16;
  const Node& node = *offered.node;
  std::string text = absl::StrCat(
      node.op().type, AttributesText(node.attributes(), kMaxElements), " ",
      offered.taken, " ", absl::StrJoin(offered.others, ","));
  for (const Value input : node.inputs()) {
    if (!input) continue;
    absl::StrAppend(&text, " ", ElementTypeName(input.type()),
                    input.shape().ToString());
  }
  return text;
}

// The slowest first; of those that could have another kernel.
std::vector<Group> GroupsOf(const std::vector<OfferedKernels>& offered,
                            const std::map<std::string, int64_t>& times) {
  std::map<std::string, Group> by_problem;
  for (const OfferedKernels& one : offered) {
    if (one.others.empty()) continue;
    Group& group = by_problem[ProblemText(one)];
    group.nodes.push_back(one.node);
    group.others = one.others;
    const auto time = times.find(one.node->name());
    if (time != times.end()) group.nanoseconds += time->second;
  }
  std::vector<Group> groups;
  for (auto& [problem, group] : by_problem) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) {
                     return a.nanoseconds > b.nanoseconds;
                   });
  return groups;
}

class Search {
 public:
  explicit Search(TuningBench& bench) : bench_(bench) {}

  absl::StatusOr<TunedPlan> Run() {
    std::vector<OfferedKernels> offered;
    DOVETAIL_ASSIGN_OR_RETURN(best_.plan, bench_.Compile({}, &offered));
    const std::shared_ptr<const Plan> first = best_.plan;
    const absl::Status searched = TryAll(offered);
    if (!searched.ok()) {
      DOVETAIL_LOG(kWarning, "CPU_TUNE: ", searched.message());
    }
    DOVETAIL_RETURN_IF_ERROR(KeepIfFaster(first));
    return std::move(best_);
  }

 private:
  absl::Status TryAll(const std::vector<OfferedKernels>& offered) {
    DOVETAIL_ASSIGN_OR_RETURN(const auto times, bench_.StepTimes(best_.plan));
    int64_t total = 0;
    for (const auto& [name, nanoseconds] : times) total += nanoseconds;
    for (const Group& group : GroupsOf(offered, times)) {
      if (group.nanoseconds * 100 < total) break;
      for (const std::string& kernel : group.others) {
        DOVETAIL_RETURN_IF_ERROR(Try(group, kernel));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Try(const Group& group, const std::string& kernel) {
    TunedPlan trial;
    trial.choices = best_.choices;
    for (const Node* node : group.nodes) {
      trial.choices.Choose(node->name(), kernel);
    }
    DOVETAIL_ASSIGN_OR_RETURN(trial.plan,
                              bench_.Compile(trial.choices, nullptr));
    DOVETAIL_ASSIGN_OR_RETURN(const bool is_faster,
                              bench_.IsFaster(trial.plan, best_.plan));
    DOVETAIL_LOG(kInfo, "CPU_TUNE: ", group.nodes[0]->name(), " and ",
                 group.nodes.size() - 1, " like it by ", kernel, ": ",
                 is_faster ? "faster" : "no faster");
    if (is_faster) best_ = std::move(trial);
    return absl::OkStatus();
  }

  // Of many comparisons some are wrong by chance: all choices together are
  // compared once more.
  absl::Status KeepIfFaster(const std::shared_ptr<const Plan>& first) {
    if (best_.choices.empty()) return absl::OkStatus();
    const auto is_faster = bench_.IsFaster(best_.plan, first);
    if (is_faster.ok() && *is_faster) return absl::OkStatus();
    best_ = {first, {}};
    return absl::OkStatus();
  }

  TuningBench& bench_;
  TunedPlan best_;
};

}  // namespace

absl::StatusOr<TunedPlan> TuneKernels(TuningBench& bench) {
  return Search(bench).Run();
}

}  // namespace dovetail::cpu
