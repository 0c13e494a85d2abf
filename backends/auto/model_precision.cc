#include "dovetail/backends/auto/model_precision.h"

#include <cstdint>

#include "dovetail/core/graph/structural.h"

namespace dovetail::automatic {

absl::string_view PrecisionOf(const Model& model) {
  int64_t f32 = 0, f16 = 0, bf16 = 0;
  bool is_quantized = false;
  for (const auto& node : model.nodes()) {
    if (node->Is("BinaryConvolution")) return "BIN";
    if (node->Is("FakeQuantize")) is_quantized = true;
    const auto* const constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    const auto bytes = static_cast<int64_t>(constant->value.byte_size());
    const ElementType type = constant->value.type();
    if (type == ElementType::kF32) f32 += bytes;
    if (type == ElementType::kF16) f16 += bytes;
    if (type == ElementType::kBf16) bf16 += bytes;
  }
  if (is_quantized) return "INT8";
  if (f16 > f32 && f16 >= bf16) return "FP16";
  return bf16 > f32 ? "BF16" : "FP32";
}

}  // namespace dovetail::automatic
