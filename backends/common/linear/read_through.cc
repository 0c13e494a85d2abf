#include "dovetail/backends/common/linear/read_through.h"

#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/transformations/common/movements.h"

namespace dovetail {
namespace {

// The axis that constant input `input` names; nothing when it is none.
std::optional<int> ConstantAxis(const Node& node, int input, int rank) {
  const auto axes = ConstantList(node, input);
  if (!axes || axes->size() != 1) return std::nullopt;
  const auto axis = NormalizeAxis((*axes)[0], rank);
  if (!axis.ok()) return std::nullopt;
  return *axis;
}

std::optional<StridedView> Transposed(const Node& node,
                                      const StridedView& view) {
  const auto order = ConstantList(node, 1);
  if (!order || static_cast<int>(order->size()) != view.rank()) {
    return std::nullopt;
  }
  std::vector<int> axes;
  for (const int64_t axis : *order) {
    const auto normal = NormalizeAxis(axis, view.rank());
    if (!normal.ok()) return std::nullopt;
    axes.push_back(*normal);
  }
  return Permuted(view, axes);
}

std::optional<StridedView> Gathered(const Node& node, const StridedView& view) {
  const auto* attributes = node.As<GatherAttributes>();
  if (attributes == nullptr || attributes->batch_dims != 0) return std::nullopt;
  const auto indices = ConstantList(node, 1);
  const auto axis = ConstantAxis(node, 2, view.rank());
  if (!indices || indices->size() != 1 || !axis) return std::nullopt;
  int64_t index = (*indices)[0];
  if (index < 0 && node.op().version == 8) index += view.shape[*axis];
  if (index < 0 || index >= view.shape[*axis]) return std::nullopt;
  // The axis has extent 1 then, or is left out.
  return Reshaped(Narrowed(view, *axis, index, 1),
                  PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node)));
}

std::optional<StridedView> PartOfSplit(Value value, const StridedView& view) {
  const Node& node = *value.node;
  const auto axis = ConstantAxis(node, 1, view.rank());
  if (!axis) return std::nullopt;
  int64_t begin = 0;
  for (int i = 0; i < value.index; ++i) {
    begin +=
        PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node, i))[*axis];
  }
  return Narrowed(view, *axis, begin, PlanBuilderBase::ShapeOf(value)[*axis]);
}

// Matrices that are repeated have no axis of one stride where a Reshape merges
// them with others: their axes stay then.
std::optional<StridedView> ReshapedOrSplit(const StridedView& view,
                                           const Shape& to) {
  if (auto reshaped = Reshaped(view, to)) return reshaped;
  const int rank = view.rank();
  if (rank < 3 || to.rank() < 3 || view.shape.Count() != to.Count() ||
      to[to.rank() - 1] != view.shape[rank - 1] ||
      to[to.rank() - 2] != view.shape[rank - 2]) {
    return std::nullopt;
  }
  return view;
}

// The value as elements of the node's input 0, whose elements are `view`.
std::optional<StridedView> ViewOf(Value value, const StridedView& view) {
  const Node& node = *value.node;
  if (IsReshape(node)) {
    return ReshapedOrSplit(view, PlanBuilderBase::ShapeOf(value));
  }
  // The others are about axes.
  if (view.shape != PlanBuilderBase::ShapeOf(node.input(0))) {
    return std::nullopt;
  }
  if (node.Is("Broadcast")) return Broadcasted(node, view);
  if (node.Is("Transpose")) return Transposed(node, view);
  if (node.Is("Gather")) return Gathered(node, view);
  if (node.Is("Split") || node.Is("VariadicSplit")) {
    return PartOfSplit(value, view);
  }
  return std::nullopt;
}

// So many nodes are skipped, or looked at behind such nodes, at most: the
// second more than the first, so that what is skipped is always read behind.
constexpr int kMaxSkipped = 8;
constexpr int kMaxReadThrough = 32;

ReadThrough FindSource(Value value, const PlanBuilderBase& builder, int nodes) {
  const Node& node = *value.node;
  if (nodes > 0 && node.input_count() > 0 && node.input(0) &&
      node.input(0).type() == value.type() &&
      node.input(0).shape().ToShape().ok()) {
    const ReadThrough before = FindSource(node.input(0), builder, nodes - 1);
    if (builder.IsReady(before.base)) {
      const std::optional<StridedView> view = ViewOf(value, before.view);
      if (view.has_value()) return {before.base, *view};
    }
  }
  return {value, PackedView(PlanBuilderBase::ShapeOf(value))};
}

class ReaderSearch {
 public:
  ReaderSearch(const PlanBuilderBase& builder,
               const std::function<bool(const Use&)>& is_reader)
      : builder_(builder), is_reader_(is_reader) {}

  bool IsReadThrough(const Node& node, int nodes) const {
    if (!node.has_uses()) return false;
    for (int i = 0; i < node.output_count(); ++i) {
      const Value value = PlanBuilderBase::OutputOf(node, i);
      if (value.type() != ElementType::kF32 || !value.shape().ToShape().ok() ||
          dovetail::FindSource(value, builder_).base == value) {
        return false;
      }
      for (const Use& use : value.port().uses) {
        if (!ReadsThrough(use, value, nodes)) return false;
      }
    }
    return true;
  }

 private:
  bool ReadsThrough(const Use& use, Value value, int nodes) const {
    if (is_reader_(use)) {
      return HasDenseRows(dovetail::FindSource(value, builder_));
    }
    const Node& reader = *use.node;
    return use.input == 0 && nodes > 0 && !builder_.IsDone(reader) &&
           IsReadThrough(reader, nodes - 1);
  }

  const PlanBuilderBase& builder_;
  const std::function<bool(const Use&)>& is_reader_;
};

}  // namespace

ReadThrough FindSource(Value value, const PlanBuilderBase& builder) {
  return FindSource(value, builder, kMaxReadThrough);
}

bool IsReadThrough(const Node& node, const PlanBuilderBase& builder,
                   const std::function<bool(const Use&)>& is_reader) {
  return ReaderSearch(builder, is_reader).IsReadThrough(node, kMaxSkipped - 1);
}

bool HasDenseRows(const ReadThrough& source) {
  const int last = source.view.rank() - 1;
  return last >= 0 &&
         (source.view.strides[last] == 1 || source.view.shape[last] == 1);
}

std::optional<StridedView> Reshaped(const StridedView& view, const Shape& to) {
  if (view.shape.Count() != to.Count() || to.Count() == 0) return std::nullopt;
  StridedView result = PackedView(to);
  result.offset = view.offset;
  std::vector<int> axes;  // that matter
  for (int i = 0; i < view.rank(); ++i) {
    if (view.shape[i] != 1) axes.push_back(i);
  }
  // From the innermost axis on: as many axes as have one stride together become
  // as many of the others.
  int next = to.rank() - 1;
  while (!axes.empty()) {
    const int64_t stride = view.strides[axes.back()];
    int64_t count = 1;
    while (!axes.empty() && view.strides[axes.back()] == stride * count) {
      count *= view.shape[axes.back()];
      axes.pop_back();
    }
    int64_t filled = 1;
    for (; filled < count; --next) {
      if (next < 0) return std::nullopt;
      if (to[next] != 1) result.strides[next] = stride * filled;
      filled *= to[next];
    }
    if (filled != count) return std::nullopt;
  }
  return result;
}

}  // namespace dovetail
