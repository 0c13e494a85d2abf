#include <algorithm>
#include <numeric>

#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/normalization/rules.h"

namespace dovetail {
namespace {

std::vector<int64_t> Counting(int begin, int end) {
  std::vector<int64_t> numbers(std::max(0, end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

// An MVN of x in another shape, and back: all of static shapes.
struct Reshaped {
  Value x;
  const Node* mvn;
  std::vector<int64_t> axes;  // of the other shape, in order
};
std::optional<Reshaped> ReshapedMvn(const Node& last) {
  const Node* mvn = InnerNode(last.input(0), "MVN");
  if (mvn == nullptr || mvn->As<Mvn6Attributes>() == nullptr) {
    return std::nullopt;
  }
  const Node* first = InnerNode(mvn->input(0), "Reshape");
  auto axes = ConstantInts(mvn->input(1));
  if (first == nullptr || !axes.has_value()) return std::nullopt;
  const PartialShape& shape = first->port().shape;
  const Value x = first->input(0);
  if (!shape.is_static() || !x.shape().is_static() ||
      x.shape() != last.port().shape) {
    return std::nullopt;
  }
  for (int64_t& axis : *axes) axis += axis < 0 ? shape.rank() : 0;
  std::sort(axes->begin(), axes->end());
  return Reshaped{x, mvn, *std::move(axes)};
}

// Whether the first `count` extents are the same.
bool BeginAlike(const PartialShape& a, const PartialShape& b, int count) {
  return a.rank() >= count && b.rank() >= count &&
         std::equal(a.begin(), a.begin() + count, b.begin());
}

// Axes that are normalized as one can be normalized as they are.
Replacement MoreAxes(NodeBuilder& b, const Node& node) {
  const auto inner = ReshapedMvn(node);
  if (!inner.has_value()) return {};
  const PartialShape& between = inner->mvn->input(0).shape();
  const int kept = between.rank() - static_cast<int>(inner->axes.size());
  if (inner->axes != Counting(kept, between.rank()) ||
      !BeginAlike(between, inner->x.shape(), kept)) {
    return {};
  }
  const std::vector<int64_t> axes = Counting(kept, inner->x.shape().rank());
  if (axes.empty()) return {};
  const auto& attributes = *inner->mvn->As<Mvn6Attributes>();
  const bool inside = attributes.eps_mode == MvnEpsMode::kInsideSqrt;
  return {b.Make("MVN", {inner->x, b.Ints(axes)},
                 {{"eps", attributes.eps},
                  {"normalize_variance", attributes.normalize_variance},
                  {"eps_mode", std::string(inside ? "INSIDE_SQRT"
                                                  : "OUTSIDE_SQRT")}})};
}

// A constant with one element a channel of x, along axis 1, as a vector.
Value ByChannel(NodeBuilder& b, Value constant, Value x) {
  const Tensor* tensor = ConstantOf(constant);
  const int rank = x.shape().rank();
  if (tensor == nullptr || tensor->rank() > rank || rank < 2) return Value{};
  const int64_t channels = x.shape()[1].value();
  const int at = tensor->rank() - rank + 1;  // where its channels are
  if (at < 0 || tensor->element_count() != channels ||
      tensor->shape()[at] != channels) {
    return Value{};
  }
  return Folded(b, "Reshape", {constant, b.Ints({channels})},
                {{"special_zero", false}});
}

// How many groups of channels of x an MVN in another shape normalizes, each
// together; 0 when it does something else.
int64_t GroupsOf(const Reshaped& inner) {
  const PartialShape& between = inner.mvn->input(0).shape();
  const PartialShape& x = inner.x.shape();
  const auto& attributes = *inner.mvn->As<Mvn6Attributes>();
  if (between.rank() < 3 || inner.axes != Counting(2, between.rank()) ||
      x.rank() < 2 || between[0] != x[0] || !attributes.normalize_variance ||
      attributes.eps_mode != MvnEpsMode::kInsideSqrt) {
    return 0;
  }
  const int64_t groups = between[1].value();
  return groups > 0 && x[1].value() % groups == 0 ? groups : 0;
}

Value MakeGroupNorm(NodeBuilder& b, Value normalized, Value gamma, Value beta) {
  const Node* back = InnerNode(normalized, "Reshape");
  const auto inner = back == nullptr ? std::nullopt : ReshapedMvn(*back);
  const int64_t groups = inner.has_value() ? GroupsOf(*inner) : 0;
  if (groups == 0) return Value{};
  gamma = ByChannel(b, gamma, inner->x);
  beta = ByChannel(b, beta, inner->x);
  if (!gamma || !beta) return Value{};
  return b.Make("GroupNormalization", {inner->x, gamma, beta},
                {{"num_groups", groups},
                 {"epsilon", inner->mvn->As<Mvn6Attributes>()->eps}});
}

// mvn * gamma + beta, where groups of channels are normalized together.
Replacement GroupNorm(NodeBuilder& b, const Node& node) {
  if (!BroadcastsAsNumpy(node)) return {};
  for (int i : {0, 1}) {
    const Node* scaled = InnerNode(node.input(i), "Multiply");
    if (scaled == nullptr || !BroadcastsAsNumpy(*scaled)) continue;
    for (int k : {0, 1}) {
      const Value norm = MakeGroupNorm(
          b, scaled->input(k), scaled->input(1 - k), node.input(1 - i));
      if (norm) return {norm};
    }
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Reshape", 1, "MVN of axes that are one for it", &MoreAxes},
    {"Add", 1, "mvn(groups) * gamma + beta", &GroupNorm},
};

}  // namespace

absl::Span<const NodeRule> GroupNormFusions() { return kRules; }

}  // namespace dovetail
