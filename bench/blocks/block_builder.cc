#include "dovetail/bench/blocks/block_builder.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::blocks {
namespace {

// Inputs that share a scale, where a matrix has as many groups of them.
constexpr int64_t kGroup = 64;

// The first `count` extents, then ones.
Shape ScalesShape(const Shape& shape, int count) {
  Shape scales = shape;
  for (int axis = count; axis < shape.rank(); ++axis) scales[axis] = 1;
  return scales;
}

bool IsPositive(Value x) {
  return x.node->Is("Relu") || x.node->Is("Sigmoid") || x.node->Is("Softmax");
}

}  // namespace

const char* FormName(Form form) {
  switch (form) {
    case Form::kFloat:
      return "f32";
    case Form::kQuantized:
      return "quantized";
    case Form::kU8:
      return "u8";
    case Form::kI4:
      return "i4";
  }
  return "";
}

Value BlockBuilder::Input(const Shape& shape, ElementType type) {
  return Make("Parameter", {},
              {{"shape", PartialShape(shape)}, {"element_type", type}});
}

void BlockBuilder::Output(Value value) { MakeEach("Result", {value}, {}, 0); }

std::vector<Value> BlockBuilder::MakeEach(OpType type,
                                          const std::vector<Value>& inputs,
                                          const AttributeList& attributes,
                                          size_t count) {
  const OpInfo* op = FindOp(type);
  std::unique_ptr<Attributes> made = op->make_attributes();
  Update(SetAttributes(attributes, *made));
  std::vector<Value> outputs = MakeAll(*op, inputs, std::move(made));
  outputs.resize(std::max(count, outputs.size()));
  return outputs;
}

// ---- Constants ----

double BlockBuilder::Uniform() {
  // The distributions of the standard library are not the same everywhere.
  return static_cast<double>(generator_()) / 4294967296.0;
}

Value BlockBuilder::Floats(const Shape& shape, double low, double high) {
  const auto tensor = Tensor::Allocate(ElementType::kF32, shape);
  if (!tensor.ok()) {
    Update(tensor.status());
    return Value{};
  }
  for (float& value : tensor->mutable_span<float>()) {
    value = static_cast<float>(low + (high - low) * Uniform());
  }
  return Constant(*tensor);
}

Value BlockBuilder::Integers(ElementType type, const Shape& shape, int low,
                             int high) {
  const auto tensor = Tensor::Allocate(type, shape);
  if (!tensor.ok()) {
    Update(tensor.status());
    return Value{};
  }
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    tensor->SetElement(i, low + std::floor((high - low + 1) * Uniform()));
  }
  return Constant(*tensor);
}

Value BlockBuilder::Scaled(Value codes, const Shape& shape, double scale,
                           ElementType type) {
  const Value scales = Floats(shape, scale * 0.75, scale);
  if (type == ElementType::kF32 || !status().ok()) {
    return Multiply(codes, scales);
  }
  const auto narrow = ConvertTensor(
      scales.node->As<ConstantAttributes>()->value, ElementType::kF16);
  if (!narrow.ok()) {
    Update(narrow.status());
    return Value{};
  }
  return Convert(Multiply(codes, Constant(*narrow)), ElementType::kF32);
}

// ---- Weights ----

Value BlockBuilder::UnsignedWeights(const Shape& shape, const Shape& scales,
                                    double limit) {
  const Value codes = Convert(Integers(ElementType::kU8, shape, 0, 255),
                              ElementType::kF16);
  const Value zeros = Convert(Integers(ElementType::kU8, scales, 120, 135),
                              ElementType::kF16);
  return Scaled(Subtract(codes, zeros), scales, limit / 128,
                ElementType::kF16);
}

Value BlockBuilder::Weights(const Shape& shape, int64_t fan_in,
                            int scaled_axes) {
  // Evenly spread values have a third of their limit's square as variance.
  const double limit = std::sqrt(3.0 / static_cast<double>(fan_in));
  const Shape scales = ScalesShape(shape, scaled_axes);
  if (form_ == Form::kFloat) return Floats(shape, -limit, limit);
  if (form_ == Form::kU8) return UnsignedWeights(shape, scales, limit);
  const ElementType type =
      form_ == Form::kQuantized ? ElementType::kF32 : ElementType::kF16;
  const Value codes = Integers(ElementType::kI8, shape, -127, 127);
  return Scaled(Convert(codes, type), scales, limit / 127, type);
}

Value BlockBuilder::GroupedMatrix(int64_t outputs, int64_t inputs,
                                  double limit) {
  const int64_t groups = inputs / kGroup;
  const Value codes =
      Convert(Integers(ElementType::kI4, {outputs, groups, kGroup}, -8, 7),
              ElementType::kF16);
  const Value scaled =
      Scaled(codes, {outputs, groups, 1}, limit / 8, ElementType::kF16);
  return ReshapeTo(scaled, {outputs, inputs});
}

Value BlockBuilder::Matrix(int64_t outputs, int64_t inputs) {
  if (form_ != Form::kI4 || inputs % kGroup != 0) {
    return Weights({outputs, inputs}, inputs);
  }
  return GroupedMatrix(outputs, inputs,
                       std::sqrt(3.0 / static_cast<double>(inputs)));
}

Value BlockBuilder::Activations(Value x) {
  if (form_ != Form::kQuantized || !x) return x;
  Value& quantized = quantized_[x];
  if (quantized) return quantized;
  const double high = x.node->Is("Softmax") ? 1 : 4;
  const double low = IsPositive(x) ? 0 : -high;
  const double top = low < 0 ? high * 127 / 128 : high;
  const ElementType type = ElementType::kF32;
  const Value from = Number(type, low), to = Number(type, top);
  quantized = Make("FakeQuantize", {x, from, to, from, to},
                   {{"levels", int64_t{256}}});
  return quantized;
}

}  // namespace dovetail::blocks
