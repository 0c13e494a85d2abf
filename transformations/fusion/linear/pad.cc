#include "dovetail/core/ops/movement/slicing/pad.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

using Numbers = std::vector<int64_t>;

// A Pad that puts a number around the spatial axes, and around them only.
struct Padding {
  Value x;
  Numbers begin, end;  // of the spatial axes, not negative
  double number = 0;
};

// Spatial paddings of those of all axes; nothing where others are padded, or
// cut off.
std::optional<Numbers> Spatial(Value value) {
  const auto numbers = ConstantInts(value);
  if (!numbers.has_value() || numbers->size() < 3 || (*numbers)[0] != 0 ||
      (*numbers)[1] != 0) {
    return std::nullopt;
  }
  const auto is_padding = [](int64_t n) {
    return 0 <= n && n <= kMaxWindowNumber / 2;
  };
  if (!std::all_of(numbers->begin(), numbers->end(), is_padding)) {
    return std::nullopt;
  }
  return Numbers(numbers->begin() + 2, numbers->end());
}

std::optional<Padding> PaddingOf(Value value) {
  const Node* pad = InnerNode(value, "Pad");
  const auto* attributes = pad == nullptr ? nullptr : pad->As<PadAttributes>();
  if (attributes == nullptr || attributes->pad_mode != PadMode::kConstant ||
      !IsFloatValue(value)) {
    return std::nullopt;
  }
  const auto begin = Spatial(pad->input(1)), end = Spatial(pad->input(2));
  const auto number = pad->input_count() > 3 ? ConstantNumber(pad->input(3))
                                             : std::optional<double>(0);
  if (!begin.has_value() || !end.has_value() || !number.has_value() ||
      begin->size() != end->size()) {
    return std::nullopt;
  }
  return Padding{pad->input(0), *begin, *end, *number};
}

// The paddings of a window with those before it; nothing where it chooses its
// own.
std::optional<AttributeList> Joined(const SlidingWindow& window,
                                    const Padding& padding) {
  const bool is_explicit = window.auto_pad == AutoPad::kExplicit;
  if (!is_explicit && window.auto_pad != AutoPad::kValid) return std::nullopt;
  Numbers begin = padding.begin, end = padding.end;
  for (size_t i = 0; is_explicit && i < begin.size(); ++i) {
    if (i < window.pads_begin.size()) begin[i] += window.pads_begin[i];
    if (i < window.pads_end.size()) end[i] += window.pads_end[i];
  }
  return AttributeList{{"pads_begin", begin},
                       {"pads_end", end},
                       {"auto_pad", std::string("explicit")}};
}

Replacement WithInput(NodeBuilder& b, const Node& node, Value x,
                      const AttributeList& attributes) {
  std::vector<Value> inputs = node.inputs();
  inputs[0] = x;
  return {CloneWith(b, node, inputs, attributes)};
}

Replacement BeforeConvolution(NodeBuilder& b, const Node& node) {
  const auto padding = PaddingOf(node.input(0));
  const auto* attributes = node.As<ConvolutionAttributes>();
  if (!padding.has_value() || attributes == nullptr || padding->number != 0) {
    return {};
  }
  const auto joined = Joined(attributes->window, *padding);
  return joined.has_value() ? WithInput(b, node, padding->x, *joined)
                            : Replacement{};
}

bool HasNoPadding(const SlidingWindow& window) {
  const auto is_zero = [](int64_t n) { return n == 0; };
  return window.auto_pad == AutoPad::kValid ||
         (std::all_of(window.pads_begin.begin(), window.pads_begin.end(),
                      is_zero) &&
          std::all_of(window.pads_end.begin(), window.pads_end.end(), is_zero));
}

// Zeros around count as elements, as those of a Pad do. Where a last window
// reaches beyond them, what counts would be another matter.
Replacement BeforeAvgPool(NodeBuilder& b, const Node& node) {
  const auto padding = PaddingOf(node.input(0));
  if (!padding.has_value() || padding->number != 0) return {};
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(node);
  if (attributes.window.rounding != Rounding::kFloor ||
      (attributes.exclude_pad && !HasNoPadding(attributes.window))) {
    return {};
  }
  auto joined = Joined(attributes.window, *padding);
  if (!joined.has_value()) return {};
  joined->push_back({"exclude-pad", false});
  return WithInput(b, node, padding->x, *joined);
}

bool IsNeverNegative(Value x) {
  if (NodeOf(x, "Relu") != nullptr || NodeOf(x, "Sigmoid") != nullptr) {
    return true;
  }
  const Node* clamp = NodeOf(x, "Clamp");
  return clamp != nullptr && clamp->As<ClampAttributes>()->min >= 0;
}

bool IsDense(const SlidingWindow& window) {
  return std::all_of(window.dilations.begin(), window.dilations.end(),
                     [](int64_t n) { return n == 1; });
}

bool AreLess(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), std::less<int64_t>());
}

// What is around is no element for a MaxPool, and less than any that there is:
// each window has one of those, as paddings are smaller than it.
Replacement BeforeMaxPool(NodeBuilder& b, const Node& node) {
  const auto padding = PaddingOf(node.input(0));
  if (!padding.has_value()) return {};
  const bool has_indices =
      node.output_count() > 1 && !node.port(1).uses.empty();
  const bool is_least =
      padding->number == -std::numeric_limits<double>::infinity() ||
      (padding->number == 0 && IsNeverNegative(padding->x));
  const auto* first = node.As<MaxPoolAttributes>();
  const auto* later = node.As<MaxPool8Attributes>();
  if (has_indices || !is_least || (first == nullptr && later == nullptr)) {
    return {};
  }
  const SlidingWindow& window =
      first != nullptr ? first->window : later->window;
  const Numbers& kernel = first != nullptr ? first->kernel : later->kernel;
  const auto joined = Joined(window, *padding);
  if (!joined.has_value() || window.rounding != Rounding::kFloor ||
      !IsDense(window) ||
      !AreLess(std::get<Numbers>((*joined)[0].second), kernel) ||
      !AreLess(std::get<Numbers>((*joined)[1].second), kernel)) {
    return {};
  }
  return CloneAllWith(b, node, {padding->x}, *joined);
}

constexpr NodeRule kRules[] = {
    {"Convolution", 1, "convolution that pads itself", &BeforeConvolution},
    {"GroupConvolution", 1, "convolution that pads itself", &BeforeConvolution},
    {"AvgPool", NodeRule::kAnyVersion, "pool that pads itself", &BeforeAvgPool},
    {"MaxPool", NodeRule::kAnyVersion, "pool that pads itself", &BeforeMaxPool},
};

}  // namespace

absl::Span<const NodeRule> PadFusions() { return kRules; }

}  // namespace dovetail
