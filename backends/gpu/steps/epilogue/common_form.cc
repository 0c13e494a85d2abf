#include "dovetail/backends/gpu/steps/epilogue/common_form.h"

namespace dovetail::gpu {

bool IsUniform(const ClampOp& clamp) {
  return UniformValue(clamp.low).has_value() &&
         UniformValue(clamp.high).has_value();
}

std::optional<CommonForm> CommonFormOf(const Epilogue& epilogue, size_t count) {
  CommonForm form;
  size_t i = 0;
  const auto* const bias = epilogue.Find<AffineOp>(i);
  if (bias == nullptr || !bias->IsBias()) return std::nullopt;
  form.bias = &bias->shift;
  ++i;
  if (const auto* const residual = epilogue.Find<ResidualOp>(i)) {
    if (!residual->node->Is("Add")) return std::nullopt;
    form.residual = residual;
    ++i;
  }
  if (const auto* const clamp = epilogue.Find<ClampOp>(i)) {
    if (!IsUniform(*clamp)) return std::nullopt;
    form.low = clamp->low[0];
    form.high = clamp->high[0];
    ++i;
  } else if (const auto* const relu = epilogue.Find<ActivationOp>(i)) {
    if (!relu->node->Is("Relu")) return std::nullopt;
    form.low = 0;
    ++i;
  }
  return i == count ? std::optional(form) : std::nullopt;
}

}  // namespace dovetail::gpu
