#include "dovetail/backends/gpu/steps/convolution/common/coded_weights.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

bool AreZero(const Tensor& numbers) {
  const auto floats = ConvertTensor(numbers, ElementType::kF32);
  if (!floats.ok()) return false;
  const auto all = floats->span<float>();
  return std::all_of(all.begin(), all.end(), [](float x) { return x == 0; });
}

// A constant of one number or of one for each output channel.
absl::StatusOr<Operand> PackNumbers(Value numbers, absl::string_view what,
                                    const PackedForm& form,
                                    PlanBuilder& builder) {
  const int64_t channels = form.channels.outputs;
  const int64_t count = form.items() * form.output_block;
  const auto pack = [=](absl::Span<const Tensor> constants, void* packed,
                        int) -> absl::Status {
    auto* const to = static_cast<float*>(packed);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor floats,
                              ConvertTensor(constants[0], ElementType::kF32));
    const auto all = floats.span<float>();
    const int64_t step = all.size() == 1 ? 0 : 1;
    for (int64_t c = 0; c < channels; ++c) to[c] = all[c * step];
    std::fill(to + channels, to + count, 0.0f);
    return absl::OkStatus();
  };
  PackingKey key = WeightKey(numbers);
  key.form = absl::StrCat("opencl convolution ", what, ":", key.form, ":",
                          channels, ",", count);
  return builder.GetOrPack(key, count * static_cast<int64_t>(sizeof(float)),
                           pack);
}

}  // namespace

std::optional<CodedWeights> CodedWeightsOf(const ConvolutionProblem& problem) {
  const auto stored = MatchCompressedConvolution(*problem.node);
  if (!stored.has_value() || !stored->scale) return std::nullopt;
  const Tensor& codes = *PlanBuilder::PackableConstantOf(stored->constant);
  if (!codes.is_contiguous()) return std::nullopt;
  CodedWeights weights;
  weights.stored = *stored;
  weights.type = IsSigned(codes.type()) ? ElementType::kI8 : ElementType::kU8;
  weights.has_zeros = stored->zero_point &&
                      !AreZero(*PlanBuilder::ConstantOf(stored->zero_point));
  return weights;
}

absl::StatusOr<Operand> PackCodes(const ConvolutionProblem& problem,
                                  const CodedWeights& weights,
                                  const PackedForm& form,
                                  PlanBuilder& builder) {
  const Value codes = weights.stored.constant;
  ElementsFn convert;
  if (codes.type() != weights.type) {
    convert = [type = weights.type](absl::Span<const Tensor> constants) {
      return ConvertTensor(constants[0], type);
    };
  }
  return PackElements(problem, form, WeightKey(codes), convert, builder);
}

absl::StatusOr<Operand> PackScales(const CodedWeights& weights,
                                   const PackedForm& form,
                                   PlanBuilder& builder) {
  return PackNumbers(weights.stored.scale, "scales", form, builder);
}

absl::StatusOr<Operand> PackZeroPoints(const CodedWeights& weights,
                                       const PackedForm& form,
                                       PlanBuilder& builder) {
  return PackNumbers(weights.stored.zero_point, "zero points", form, builder);
}

}  // namespace dovetail::gpu
