#include "dovetail/backends/cpu/kernels/integer/grouped_method.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kMostTogether = 2;

bool IsOfWholeBlocks(const IntegerConvolutionShape& shape, int64_t together) {
  const int64_t inputs = shape.inputs / shape.groups * together;
  const int64_t outputs = shape.outputs / shape.groups * together;
  return shape.groups % together == 0 && inputs % kChannelBlock == 0 &&
         outputs % kChannelBlock == 0;
}

// Groups that are computed as one; 0 where none or too many would have to be.
int64_t TogetherOf(const IntegerConvolutionShape& shape) {
  for (int64_t together = 1; together <= kMostTogether; ++together) {
    if (IsOfWholeBlocks(shape, together)) return together;
  }
  return 0;
}

IntegerConvolutionShape GroupOf(IntegerConvolutionShape shape, int64_t count) {
  shape.batch = 1;
  shape.inputs /= count;
  shape.outputs /= count;
  shape.groups = 1;
  return shape;
}

void Advance(const float*& numbers, int64_t count) {
  if (numbers != nullptr) numbers += count;
}

}  // namespace

bool GroupedIntegerMethod::IsFitting(const IntegerConvolutionShape& shape) {
  return shape.groups > 1 && shape.zero_points.empty() && TogetherOf(shape) > 0;
}

GroupedIntegerMethod::GroupedIntegerMethod(const IntegerConvolutionShape& shape,
                                           const int8_t* weights, int threads,
                                           const MakeIntegerMethod& make)
    : shape_(shape),
      together_(TogetherOf(shape)),
      count_(shape.groups / together_),
      group_(GroupOf(shape, count_)) {
  std::vector<std::vector<int8_t>> dense;
  std::vector<const int8_t*> all_weights;
  for (int64_t g = 0; g < count_; ++g) {
    all_weights.push_back(dense.emplace_back(DenseWeights(weights, g)).data());
  }
  // Groups are shared among threads before parts of them are.
  const int64_t all = shape.batch * count_;
  method_ = make(group_, all_weights, static_cast<int>(DivideUp(threads, all)));
}

void GroupedIntegerMethod::PackWeights(const int8_t* weights,
                                       void* packed) const {
  for (int64_t g = 0; g < count_; ++g) {
    method_->PackWeights(
        DenseWeights(weights, g).data(),
        static_cast<char*>(packed) + g * group_weights_bytes());
  }
}

int64_t GroupedIntegerMethod::group_weights_bytes() const {
  constexpr int64_t kAlignment = 64;
  return DivideUp(method_->weights_bytes(), kAlignment) * kAlignment;
}

std::vector<int8_t> GroupedIntegerMethod::DenseWeights(const int8_t* weights,
                                                       int64_t group) const {
  const int64_t taps = shape_.rows.kernel * shape_.columns.kernel;
  const int64_t inputs = shape_.inputs / shape_.groups * taps;
  const int64_t outputs = shape_.outputs / shape_.groups;
  std::vector<int8_t> dense(group_.outputs * group_.inputs * taps);
  const int8_t* from = weights + group * group_.outputs * inputs;
  for (int64_t o = 0; o < group_.outputs; ++o, from += inputs) {
    std::copy_n(from, inputs,
                dense.begin() + o * together_ * inputs + o / outputs * inputs);
  }
  return dense;
}

IntegerConvolutionOperands GroupedIntegerMethod::OperandsOf(
    const IntegerConvolutionOperands& operands, int64_t image,
    int64_t group) const {
  const int64_t number = image * count_ + group;
  const int64_t before =
      number * group_.outputs * shape_.rows.output * shape_.columns.output;
  IntegerConvolutionOperands of = operands.FromOutput(before);
  IntegerEpilogue& epilogue = of.epilogue;
  of.input = of.BlockOfInput(
      number, group_.inputs * shape_.rows.input * shape_.columns.input);
  of.weights =
      static_cast<const char*>(of.weights) + group * group_weights_bytes();
  for (const float** numbers :
       {&epilogue.scale, &epilogue.bias, &epilogue.slope,
        &epilogue.output_scale, &epilogue.output_shift}) {
    Advance(*numbers, group * group_.outputs);
  }
  return of;
}

void GroupedIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                               int64_t first, int64_t count,
                               void* scratch) const {
  const int64_t of_group = method_->work_item_count();
  for (const int64_t end = first + count; first < end;) {
    const int64_t number = first / of_group;
    const int64_t part = first % of_group;
    const int64_t parts = std::min(of_group - part, end - first);
    method_->Run(OperandsOf(operands, number / count_, number % count_), part,
                 parts, scratch);
    first += parts;
  }
}

}  // namespace dovetail::cpu
