#include "dovetail/backends/cpu/steps/convolution/quantized_picture.h"

#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFewChannels = 4;

// The picture that the node reads; empty: none.
Value FloatsOf(const Node& node, const PlanBuilder& builder) {
  for (int i = 0; i < node.input_count(); ++i) {
    const Value value = node.input(i);
    if (PlanBuilder::IsConstant(value)) continue;
    const Shape shape = PlanBuilder::ShapeOf(value);
    const bool is_picture = value.type() == ElementType::kF32 &&
                            shape.rank() == 4 && shape[1] <= kFewChannels &&
                            builder.IsReady(value);
    return is_picture ? value : Value();
  }
  return {};
}

// The only convolution that reads the bytes, by a conversion and perhaps a
// subtraction of their zero; null: there is none.
const Node* ReaderOf(Value bytes) {
  constexpr int kFarthest = 3;
  Value value = bytes;
  for (int i = 0; i < kFarthest; ++i) {
    const std::vector<Use>& uses = value.port().uses;
    if (uses.size() != 1 || uses[0].input != 0) return nullptr;
    const Node& reader = *uses[0].node;
    if (IsConvolution(reader)) {
      const auto operands = IntegerOperandsOf(reader);
      return operands && operands->data == bytes ? &reader : nullptr;
    }
    if (reader.output_count() != 1) return nullptr;  // a result of the model
    value = PlanBuilder::OutputOf(reader);
  }
  return nullptr;
}

// Takes the stages' numbers together. False: others than scales, biases and a
// quantization at last.
bool SetNumbers(const Epilogue& stages, QuantizedPicture& picture) {
  const size_t last = stages.size() - 2;
  const auto* quantize = stages.Find<QuantizeOp>(last);
  if (quantize == nullptr) return false;
  const size_t channels = quantize->scale.size();
  std::vector<double> scale(channels, 1), shift(channels, 0);
  const auto then = [&](const ChannelVector& by, const ChannelVector& plus) {
    for (size_t c = 0; c < channels; ++c) {
      scale[c] *= by[c];
      shift[c] = shift[c] * by[c] + plus[c];
    }
  };
  for (size_t i = 0; i < last; ++i) {
    const auto* affine = stages.Find<AffineOp>(i);
    if (affine == nullptr) return false;
    then(affine->scale, affine->shift);
  }
  then(quantize->scale, quantize->shift);
  picture.low = quantize->offset[0];
  picture.high = picture.low + quantize->steps;
  picture.scale.assign(scale.begin(), scale.end());
  for (const double number : shift) {
    picture.shift.push_back(static_cast<float>(number + picture.low));
  }
  return true;
}

}  // namespace

std::optional<QuantizedPicture> QuantizedPictureFrom(
    const Node& first, const PlanBuilder& builder) {
  QuantizedPicture picture;
  picture.floats = FloatsOf(first, builder);
  if (!picture.floats) return std::nullopt;
  const Epilogue stages =
      FindEpilogue(picture.floats, EpilogueSupport(),
                   [&](Value value) { return builder.IsReady(value); });
  if (stages.type() == ElementType::kF32 || !SetNumbers(stages, picture)) {
    return std::nullopt;
  }
  picture.convolution = ReaderOf(stages.result());
  if (picture.convolution == nullptr) return std::nullopt;
  picture.makers = stages.nodes();
  return picture;
}

}  // namespace dovetail::cpu
