#include "dovetail/transformations/low_precision/integer_linear.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"
#include "dovetail/transformations/low_precision/replace.h"

namespace dovetail {
namespace {

// Shifts below this part of a step are what f32 makes of rounding.
constexpr float kMinShift = 1e-5f;

float At(const std::vector<float>& numbers, int64_t i) {
  return numbers.size() == 1 ? numbers[0] : numbers[i];
}

// The parameters with zero points that are integers of its type.
QuantizationParams WithIntegerZero(QuantizationParams params) {
  const float low = params.type == ElementType::kU8 ? 0 : -128;
  for (float& zero : params.zero_point) {
    zero = std::clamp(std::nearbyint(zero), low, low + 255) + 0.0f;
  }
  return params;
}

// Numbers of channels become a single one where they are all equal.
void Shorten(std::vector<float>& numbers) {
  const bool equal = std::all_of(numbers.begin(), numbers.end(),
                                 [&](float x) { return x == numbers[0]; });
  if (equal) numbers.resize(1);
}

Value Shifted(NodeBuilder& b, Value converted,
              const QuantizationParams& params) {
  if (IsSymmetric(params)) return converted;
  std::vector<float> zero_point = params.zero_point;
  Shorten(zero_point);
  const int rank = converted.shape().rank();
  return b.Subtract(converted, ChannelConstant(b, zero_point, rank));
}

// A factor or summand for each output channel.
Value OutputConstant(NodeBuilder& b, const std::vector<float>& numbers) {
  if (!b.node().Is("MatMul")) {
    return ChannelConstant(b, numbers, b.node().input(0).shape().rank());
  }
  const auto count = static_cast<int64_t>(numbers.size());
  if (count == 1) return b.Number(ElementType::kF32, numbers[0]);
  // Columns of one matrix, or of each of several.
  const PartialShape& weights = b.node().input(1).shape();
  const int64_t matrices = weights.rank() == 3 ? weights[0].value() : 1;
  const Shape shape =
      matrices == 1 ? Shape{count} : Shape{matrices, 1, count / matrices};
  const auto tensor = Tensor::FromValues<float>(shape, numbers);
  return tensor.ok() ? b.Constant(*tensor) : Value{};
}

// The sum of each output channel's weights.
std::vector<float> SumsOf(const IntegerWeights& weights,
                          const WeightsLayout& layout) {
  std::vector<float> sums(layout.output_channels(), 0.0f);
  const int8_t* w = weights.integers->data<int8_t>();
  for (int64_t block = 0; block < layout.groups * layout.outer; ++block) {
    for (int64_t c = 0; c < layout.channels; ++c, w += layout.inner) {
      int32_t sum = 0;
      for (int64_t i = 0; i < layout.inner; ++i) sum += w[i];
      sums[block / layout.outer * layout.channels + c] +=
          static_cast<float>(sum);
    }
  }
  return sums;
}

// One operation that is going to be computed with integers.
class Rewrite {
 public:
  Rewrite(Model& model, Node& linear, const Dequantization& data)
      : b_(model, linear),
        linear_(linear),
        data_(data),
        params_(WithIntegerZero(data.params)) {}

  absl::Status WithWeights(const IntegerWeights& weights) {
    const WeightsLayout layout = *WeightsLayoutOf(linear_);
    std::vector<float> scale(layout.output_channels());
    for (int64_t c = 0; c < layout.output_channels(); ++c) {
      scale[c] =
          At(weights.scale, c) * At(params_.scale, DataChannel(c, layout));
    }
    Shorten(scale);
    const Value core = Core(weights.converted);
    Value result = b_.Multiply(core, OutputConstant(b_, scale));
    const std::vector<float> shift = ShiftOf(weights, layout);
    if (!shift.empty()) result = AddShift(result, OutputConstant(b_, shift));
    return ReplaceByAdded(b_, linear_, {result});
  }

  absl::Status WithFactor(const Dequantization& factor) {
    const Value core = Core(factor.converted);
    const double scale =
        static_cast<double>(params_.scale[0]) * factor.params.scale[0];
    return ReplaceByAdded(b_, linear_, {b_.Multiply(core, scale)});
  }

 private:
  // The channel of the data that an output channel is made of, where that is
  // one only.
  int64_t DataChannel(int64_t c, const WeightsLayout& layout) const {
    const auto channels = static_cast<int64_t>(params_.scale.size());
    return c / std::max<int64_t>(1, layout.output_channels() / channels);
  }

  Value Core(Value weights) {
    std::vector<Value> inputs = linear_.inputs();
    inputs[0] = Shifted(b_, data_.converted, params_);
    inputs[1] = weights;
    return b_.MakeAll(linear_.op(), inputs, linear_.attributes().Clone())[0];
  }

  // What the rounding of zero points has taken from each output channel. Not
  // where outputs are made of different numbers of elements: that little is
  // lost, or, at the borders, too much.
  std::vector<float> ShiftOf(const IntegerWeights& weights,
                             const WeightsLayout& layout) const {
    if (linear_.Is("ConvolutionBackpropData") ||
        linear_.Is("GroupConvolutionBackpropData")) {
      return {};
    }
    std::vector<float> rounded;
    bool any = false;
    for (size_t i = 0; i < params_.zero_point.size(); ++i) {
      rounded.push_back(params_.zero_point[i] - data_.params.zero_point[i]);
      any |= std::abs(rounded[i]) > kMinShift;
    }
    if (!any) return {};
    std::vector<float> shift = SumsOf(weights, layout);
    for (int64_t c = 0; c < layout.output_channels(); ++c) {
      const int64_t of = DataChannel(c, layout);
      shift[c] *=
          At(rounded, of) * At(params_.scale, of) * At(weights.scale, c);
    }
    return shift;
  }

  // Adds to the bias, if that is a constant, so that there is one sum only.
  Value AddShift(Value result, Value shift) {
    const std::vector<Use> uses = linear_.port().uses;
    if (uses.size() == 1 && uses[0].node->Is("Add")) {
      Node& add = *uses[0].node;
      const int other = 1 - uses[0].input;
      if (ConstantOf(add.input(other)) != nullptr &&
          add.port().shape == linear_.port().shape) {
        add.SetInput(other, b_.Add(shift, add.input(other)));
        return result;
      }
    }
    return b_.Add(result, shift);
  }

  NodeBuilder b_;
  Node& linear_;
  const Dequantization& data_;
  const QuantizationParams params_;
};

absl::StatusOr<bool> RewriteNode(Model& model, Node& node,
                                 const LowPrecisionOptions& options) {
  if (!IsLinear(node) || !options.TakesIntegers(node)) return false;
  const auto data = MatchDequantization(node.input(0));
  if (!data.has_value() || !AcceptsData(node, data->params)) return false;
  Rewrite rewrite(model, node, *data);
  if (const auto weights = MatchIntegerWeights(node)) {
    DOVETAIL_RETURN_IF_ERROR(rewrite.WithWeights(*weights));
    return true;
  }
  const auto factor = MatchDequantization(node.input(1));
  if (!factor.has_value() ||
      !AcceptsFactors(node, data->params, factor->params)) {
    return false;
  }
  // Done before: there is no scale to take out.
  const bool is_integer = factor->converted == node.input(1) &&
                          data->params.scale == std::vector<float>{1};
  if (is_integer) return false;
  DOVETAIL_RETURN_IF_ERROR(rewrite.WithFactor(*factor));
  return true;
}

}  // namespace

absl::StatusOr<bool> IntegerLinear::Run(Model& model) {
  return ForEachModel(model, [this](Model& each) -> absl::StatusOr<bool> {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              each.TopologicalOrder());
    bool any_changed = false;
    for (Node* node : order) {
      DOVETAIL_ASSIGN_OR_RETURN(const bool changed,
                                RewriteNode(each, *node, options_));
      any_changed |= changed;
    }
    return any_changed;
  });
}

}  // namespace dovetail
