#include "dovetail/backends/cpu/kernels/integer/testing/integer_problem.h"

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

Tensor Elements(ElementType type, int64_t count) {
  return Tensor::Allocate(type, {count}).value();
}

Tensor RandomElements(ElementType type, int64_t count, std::mt19937& generator,
                      int least = 0, int greatest = 255) {
  Tensor tensor = Elements(type, count);
  if (type == ElementType::kF32) {
    std::uniform_real_distribution<float> values(-3, 3);
    for (float& value : tensor.mutable_span<float>()) value = values(generator);
    return tensor;
  }
  std::uniform_int_distribution<int> bytes(least, greatest);
  for (uint8_t& byte : tensor.mutable_span<uint8_t>()) {
    byte = static_cast<uint8_t>(bytes(generator));
  }
  return tensor;
}

}  // namespace

IntegerProblem::IntegerProblem(const IntegerCase& c)
    : case_(c),
      input_layout_(LayoutOf(shape_.inputs, c.input_block, &WindowAxis::input)),
      output_layout_(
          LayoutOf(shape_.outputs, c.output_block, &WindowAxis::output)),
      input_(RandomElements(shape_.input_type,
                            shape_.batch * input_layout_.size(), generator_,
                            c.least_input, c.greatest_input)),
      weights_(RandomElements(ElementType::kI8, shape_.outputs * taps(),
                              generator_)),
      residual_(RandomElements(c.epilogue.residual_type,
                               shape_.batch * output_layout_.size(),
                               generator_)),
      epilogue_(c.epilogue, output_layout_.blocks() * output_layout_.block,
                taps(), generator_) {
  if (c.of_floats) MakeFloats();
  if (c.rarity_of_great_weights > 0) LimitWeights();
}

int64_t IntegerProblem::taps() const {
  return shape_.inputs / shape_.groups * shape_.planes.kernel *
         shape_.rows.kernel * shape_.columns.kernel;
}

ImageLayout IntegerProblem::LayoutOf(int64_t channels, int64_t block,
                                     int64_t WindowAxis::*extent) const {
  return {channels, shape_.planes.*extent, shape_.rows.*extent,
          shape_.columns.*extent, block};
}

void IntegerProblem::MakeFloats() {
  // Not near to the middle of two integers.
  std::uniform_real_distribution<float> aside(-0.4f, 0.4f);
  for (int64_t i = 0; i < input_.element_count(); ++i) {
    const int64_t channel = input_layout_.PlaceOf(i).channel;
    const auto number = static_cast<float>(input_.ElementAsDouble(i));
    floats_.push_back((number + aside(generator_) - kShift[channel]) /
                      kScale[channel]);
  }
}

void IntegerProblem::LimitWeights() {
  std::uniform_int_distribution<int> rarity(1, case_.rarity_of_great_weights);
  for (int8_t& weight : weights_.mutable_span<int8_t>()) {
    if (rarity(generator_) > 1) weight = static_cast<int8_t>(weight / 2);
  }
}

void IntegerProblem::Check(const IntegerMethod& method) const {
  const Tensor output = Run(method);
  int64_t other_way = 0;
  for (int64_t i = 0; i < output.element_count(); ++i) {
    const double got = output.ElementAsDouble(i), want = ResultAt(i);
    ASSERT_TRUE(epilogue_.IsNearResult(got, want))
        << "element " << i << " is " << got << " instead of " << want;
    other_way += !epilogue_.IsResult(got, want);
  }
  // Few are so near to the middle of two numbers of a grid.
  EXPECT_LE(other_way,
            case_.epilogue.has_grid ? output.element_count() / 500 : 0);
}

Tensor IntegerProblem::Run(const IntegerMethod& method) const {
  const Tensor packed = Elements(ElementType::kU8, method.weights_bytes());
  method.PackWeights(weights(), packed.mutable_raw_data());
  const Tensor epilogue = Elements(ElementType::kU8, method.epilogue_bytes());
  method.PackEpilogue(epilogue_.epilogue(), epilogue.mutable_raw_data());
  const Tensor output =
      Elements(case_.epilogue.output_type, residual_.element_count());
  IntegerConvolutionOperands operands;
  operands.input = input_.raw_data();
  if (case_.of_floats) operands.input = floats_.data();
  operands.weights = packed.raw_data();
  operands.epilogue = epilogue_.epilogue();
  operands.packed_epilogue = epilogue.raw_data();
  if (case_.epilogue.has_residual) operands.residual = residual_.raw_data();
  operands.output = output.mutable_raw_data();
  const Tensor scratch = Elements(ElementType::kU8, method.scratch_bytes());
  const int64_t items = method.work_item_count();
  void* const memory = scratch.mutable_raw_data();
  method.Run(operands, 0, items / 2, memory);
  method.Run(operands, items / 2, items - items / 2, memory);
  return output;
}

int64_t IntegerProblem::InputAt(const ImageLayout::Place& place) const {
  const auto is_outside = [](const WindowAxis& axis, int64_t at) {
    return at < 0 || at >= axis.input;
  };
  if (is_outside(shape_.planes, place.z) || is_outside(shape_.rows, place.y) ||
      is_outside(shape_.columns, place.x)) {
    return 0;
  }
  const int64_t index = input_layout_.IndexOf(place);
  const int64_t number = shape_.input_type == ElementType::kU8
                             ? input_.data<uint8_t>()[index]
                             : input_.data<int8_t>()[index];
  return number - (shape_.zero_points.empty()
                       ? shape_.zero_point
                       : shape_.zero_points[place.channel]);
}

int64_t IntegerProblem::SumAt(const ImageLayout::Place& place) const {
  const int8_t* weight = weights() + place.channel * taps();
  const int64_t inputs = shape_.inputs / shape_.groups;
  const int64_t first =
      place.channel / (shape_.outputs / shape_.groups) * inputs;
  const auto from = [](const WindowAxis& axis, int64_t output, int64_t tap) {
    return output * axis.stride - axis.pad + tap * axis.dilation;
  };
  int64_t sum = 0;
  for (int64_t i = first; i < first + inputs; ++i) {
    for (int64_t p = 0; p < shape_.planes.kernel; ++p) {
      for (int64_t r = 0; r < shape_.rows.kernel; ++r) {
        for (int64_t c = 0; c < shape_.columns.kernel; ++c) {
          sum += *weight++ *
                 InputAt({place.image, i, from(shape_.planes, place.z, p),
                          from(shape_.rows, place.y, r),
                          from(shape_.columns, place.x, c)});
        }
      }
    }
  }
  return sum;
}

double IntegerProblem::ResultAt(int64_t index) const {
  const ImageLayout::Place place = output_layout_.PlaceOf(index);
  if (place.channel >= shape_.outputs) return 0;
  return epilogue_.Result(static_cast<double>(SumAt(place)), place.channel,
                          residual_.ElementAsDouble(index));
}

}  // namespace dovetail::cpu
