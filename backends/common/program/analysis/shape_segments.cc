#include "dovetail/backends/common/program/analysis/shape_segments.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "dovetail/backends/common/program/analysis/shape_barriers.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// More elements than extents of shapes have.
constexpr int64_t kMaxExtents = 64;

enum class Kind {
  kFixed,
  kVarying,
  // Integers that follow from shapes that vary, such as the target of a
  // Reshape.
  kExtents,
  // Made of constants alone, such as compressed weights.
  kConstants,
};

struct Placed {
  Kind kind;
  int segment;  // even: fixed
};

class Segmenter {
 public:
  explicit Segmenter(std::vector<const Node*> order)
      : order_(std::move(order)) {}

  std::vector<ModelSegment> Run(const Model& model) {
    for (const Node* node : order_) Place(*node);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) Sink(**it);
    CollectNodes();
    CollectValues(model);
    std::vector<ModelSegment> filled;
    for (auto& [number, segment] : segments_) {
      filled.push_back(std::move(segment));
    }
    return filled;
  }

 private:
  const Placed* Find(const Node* node) const {
    const auto it = placed_.find(node);
    return it == placed_.end() ? nullptr : &it->second;
  }

  // ---- Which segment a node belongs to ----

  // Parameters and constants are there before all segments.
  void Place(const Node& node) {
    const Kind kind = KindOf(node);
    const int parity = IsFixed(kind) ? 0 : 1;
    int segment = parity;
    const auto follow = [&](int other) {
      segment = std::max(segment, other % 2 == parity ? other : other + 1);
    };
    for (Value input : node.inputs()) {
      const Placed* placed = input ? Find(input.node) : nullptr;
      if (placed != nullptr) follow(placed->segment);
    }
    placed_[&node] = {kind, segment};
  }

  Kind KindOf(const Node& node) const {
    if (IsExtents(node)) return Kind::kExtents;
    if (IsOfConstants(node)) return Kind::kConstants;
    return HasPlainTensors(node) ? Kind::kFixed : Kind::kVarying;
  }

  bool IsExtents(const Node& node) const {
    if (node.op().Has(kHasSideEffect) || node.op().Has(kReadsState) ||
        node.op().Has(kNondeterministic) || node.output_count() != 1) {
      return false;
    }
    const OutputPort& port = node.port();
    if (!IsInteger(port.type) || !port.shape.is_static() ||
        port.shape.ElementCount().max() > kMaxExtents) {
      return false;
    }
    if (node.Is("ShapeOf")) return node.input(0).shape().is_dynamic();
    bool follows = false;
    for (Value input : node.inputs()) {
      if (!input) continue;
      const Placed* placed = Find(input.node);
      const bool extents = placed != nullptr && placed->kind == Kind::kExtents;
      if (!extents && !input.node->Is("Constant")) return false;
      follows |= extents;
    }
    return follows;
  }

  bool IsOfConstants(const Node& node) const {
    return IsMadeOfConstants(node, [this](const Node& input) {
      const Placed* placed = Find(&input);
      return placed != nullptr && placed->kind == Kind::kConstants;
    });
  }

  // What varies is computed as late as it can be: together with who reads it,
  // so that it is no tensor between segments.
  void Sink(const Node& node) {
    Placed& placed = placed_.at(&node);
    if (IsFixed(placed.kind) || node.op().Has(kHasSideEffect)) return;
    int latest = std::numeric_limits<int>::max();
    for (int i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.port(i).uses) {
        const Placed* reader = Find(use.node);
        if (reader == nullptr) continue;  // a result, or not needed
        latest =
            std::min(latest, reader->kind == Kind::kFixed ? reader->segment - 1
                                                          : reader->segment);
      }
    }
    if (latest != std::numeric_limits<int>::max()) placed.segment = latest;
  }

  // ---- What is in a segment ----

  void CollectNodes() {
    std::map<int, std::unordered_set<const Node*>> members;
    for (const Node* node : order_) {
      const Placed& placed = placed_.at(node);
      if (placed.kind == Kind::kExtents && !HasReaderOfValues(*node)) continue;
      if (placed.kind == Kind::kConstants && !IsResult(*node)) continue;
      AddMember(*node, members[placed.segment]);
    }
    for (auto& [number, nodes] : members) {
      ModelSegment& segment = segments_[number];
      segment.is_fixed = number % 2 == 0;
      for (const Node* node : order_) {
        if (nodes.count(node) > 0) segment.nodes.push_back(node);
      }
    }
  }

  // Whether something reads it that does not compute it too.
  bool HasReaderOfValues(const Node& node) const {
    const auto& uses = node.port().uses;
    return std::any_of(uses.begin(), uses.end(), [this](const Use& use) {
      const Placed* reader = Find(use.node);
      return reader == nullptr ? use.node->Is("Result")
                               : reader->kind == Kind::kFixed;
    });
  }

  static bool IsResult(const Node& node) {
    for (int i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.port(i).uses) {
        if (use.node->Is("Result")) return true;
      }
    }
    return false;
  }

  static bool IsFixed(Kind kind) {
    return kind == Kind::kFixed || kind == Kind::kConstants;
  }

  // With what it needs of constants alone, and with extents if it varies
  // itself.
  void AddMember(const Node& node, std::unordered_set<const Node*>& members) {
    if (!members.insert(&node).second) return;
    const bool is_fixed = IsFixed(placed_.at(&node).kind);
    for (Value input : node.inputs()) {
      const Placed* placed = input ? Find(input.node) : nullptr;
      if (placed == nullptr) continue;
      if (placed->kind == Kind::kConstants ||
          (placed->kind == Kind::kExtents && !is_fixed)) {
        AddMember(*input.node, members);
      }
    }
  }

  void CollectValues(const Model& model) {
    std::set<Value> needed;
    for (auto& [number, segment] : segments_) {
      segment.inputs = ValuesReadBy(segment.nodes);
      needed.insert(segment.inputs.begin(), segment.inputs.end());
    }
    for (const Node* result : model.results()) needed.insert(result->input(0));
    for (const Value& value : needed) {
      const Placed* placed = Find(value.node);
      if (placed == nullptr) continue;
      segments_[placed->segment].outputs.push_back(value);
    }
  }

  const std::vector<const Node*> order_;
  std::unordered_map<const Node*, Placed> placed_;
  std::map<int, ModelSegment> segments_;
};

}  // namespace

std::vector<Value> ValuesReadBy(const std::vector<const Node*>& nodes) {
  const std::unordered_set<const Node*> inside(nodes.begin(), nodes.end());
  std::vector<Value> values;
  std::set<Value> seen;
  for (const Node* node : nodes) {
    for (Value input : node->inputs()) {
      if (!input || inside.count(input.node) > 0) continue;
      if (input.node->Is("Constant")) continue;
      if (seen.insert(input).second) values.push_back(input);
    }
  }
  return values;
}

absl::StatusOr<std::vector<ModelSegment>> SplitIntoSegments(
    const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::vector<const Node*> needed;
  for (const Node* node : order) {
    if (node->op().Has(kStructural) || !node->is_needed()) continue;
    needed.push_back(node);
  }
  return Segmenter(std::move(needed)).Run(model);
}

bool IsMostlyFixed(const std::vector<ModelSegment>& segments) {
  size_t fixed = 0, varying = 0;
  for (const ModelSegment& segment : segments) {
    (segment.is_fixed ? fixed : varying) += segment.nodes.size();
  }
  return fixed >= varying;
}

}  // namespace dovetail
