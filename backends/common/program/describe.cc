#include "dovetail/backends/common/program/describe.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"

namespace dovetail {
namespace {

// How far a node is from the step that reads through it.
constexpr int kMaxHops = 8;

ExecutionInfo InfoOf(const SpecializedModel::Barrier& barrier, int64_t order) {
  ExecutionInfo info;
  info.kernel = barrier.label.kernel;
  info.precision = std::string(ElementTypeName(barrier.node->port().type));
  const std::vector<absl::string_view> layouts(barrier.node->output_count(),
                                               "plain");
  info.layouts = absl::StrJoin(layouts, ",");
  info.order = order;
  return info;
}

// The program that a segment ran by: its own, or one that is alike but for
// names.
class RanBy {
 public:
  RanBy(const SpecializedModel& model, const SpecializedModel::Segment& segment)
      : own_(*segment.program), program_(&own_) {
    if (segment.alike >= 0 && own_.Last() == nullptr) {
      program_ = model.segments[segment.alike].program.get();
    }
  }

  const Program& program() const { return *program_; }

  // The node there that stands for this one of the model; null: there is none.
  const Node* Find(const Node& node) const {
    if (program_ == &own_) return &node;
    return Counterpart(own_, *program_, [&node](const Node& each) {
      return IsCopyOf(&each, node);
    });
  }

  // What a layer of the program is called in the segment.
  std::string OwnName(const std::string& name) const {
    if (program_ == &own_ || name.empty()) return name;
    const Node* const node =
        Counterpart(*program_, own_,
                    [&name](const Node& each) { return each.name() == name; });
    return node == nullptr ? name : node->name();
  }

 private:
  // Of the first node of `from` that is looked for, the one in the same place.
  template <typename Predicate>
  static const Node* Counterpart(const Program& from, const Program& to,
                                 Predicate is_it) {
    const auto &nodes = from.model().nodes(), &others = to.model().nodes();
    for (size_t i = 0; i < nodes.size() && i < others.size(); ++i) {
      if (is_it(*nodes[i])) return others[i].get();
    }
    return nullptr;
  }

  const Program& own_;
  const Program* program_;
};

// Those of what it was specialised for last.
int64_t StepCount(const Program& program) {
  const std::shared_ptr<const SpecializedModel> last = program.Last();
  if (last == nullptr) return 0;
  int64_t count = last->plan == nullptr ? 0 : last->plan->step_count();
  count += static_cast<int64_t>(last->barriers.size());
  for (const SpecializedModel::Segment& segment : last->segments) {
    count += StepCount(RanBy(*last, segment).program());
  }
  return count;
}

std::optional<ExecutionInfo> FindInProgram(const Program& program,
                                           const Node& node, int64_t order) {
  const std::shared_ptr<const SpecializedModel> last = program.Last();
  if (last == nullptr) return std::nullopt;
  if (last->plan != nullptr) {
    auto info = last->plan->Describe(node);
    if (info.has_value() && info->order >= 0) info->order += order;
    if (info.has_value()) return info;
    order += last->plan->step_count();
  }
  for (const SpecializedModel::Barrier& barrier : last->barriers) {
    if (IsCopyOf(barrier.node, node)) return InfoOf(barrier, order);
    ++order;
  }
  for (const SpecializedModel::Segment& segment : last->segments) {
    const RanBy ran(*last, segment);
    const Node* const found = ran.Find(node);
    auto info = found == nullptr ? std::nullopt
                                 : FindInProgram(ran.program(), *found, order);
    if (info.has_value()) {
      info->fused_into = ran.OwnName(info->fused_into);
      return info;
    }
    order += StepCount(ran.program());
  }
  return std::nullopt;
}

// A node without a step in a plan for all shapes is read through by who
// follows: one that only changes how its input is to be understood.
ExecutionInfo FindReader(const Program& program, const Node& node) {
  const Node* reader = &node;
  for (int hop = 0; hop < kMaxHops && reader->has_uses(); ++hop) {
    reader =
        reader->port().uses.empty() ? nullptr : reader->port().uses[0].node;
    if (reader == nullptr || reader->op().Has(kStructural)) break;
    const auto info = FindInProgram(program, *reader, 0);
    if (!info.has_value()) continue;
    ExecutionInfo result;
    result.fused_into =
        info->fused_into.empty() ? reader->name() : info->fused_into;
    result.order = info->order;
    return result;
  }
  return {};
}

}  // namespace

ExecutionInfo DescribeNode(const Program& program, const Node& node) {
  if (const auto info = FindInProgram(program, node, 0)) return *info;
  ExecutionInfo info;
  if (node.Is("Parameter") || node.Is("Result")) info.layouts = "plain";
  // For certain shapes it may be folded instead.
  const bool all_shapes = program.static_model() != nullptr &&
                          program.static_model()->segments.empty();
  if (node.op().Has(kStructural) || !all_shapes) return info;
  return FindReader(program, node);
}

}  // namespace dovetail
