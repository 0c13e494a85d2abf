// The step of kernels/normalization/channels_last.h.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_CHANNELS_LAST_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_CHANNELS_LAST_STEP_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/kernels/normalization/channels_last.h"

namespace dovetail::cpu {

// Whether channels, all or whole blocks of them, are the last axis of an image
// that is stored so.
bool HasPixels(const Shape& shape, Layout layout);
// As groups of channels, for a shape that HasPixels.
PixelShape PixelsOf(const Shape& shape, Layout layout, int64_t groups);

// How data and results are stored: f32, or bf16 where MayBeNarrow(), or results
// in the integers of an epilogue.
struct PixelTypes {
  ElementType input = ElementType::kF32, output = ElementType::kF32;
};
bool MayBeNarrow(const PixelShape& shape);

// Of images one behind the other. Its operands are data, scale, shift, the
// numbers of the epilogue, if there is one, and the output, which may be the
// data's memory where both are f32. The epilogue is for all channels; of floats,
// its type is f32 however they are stored.
std::unique_ptr<Step> MakeChannelsLastStep(
    int64_t images, const PixelShape& shape, const VarianceOptions& options,
    const PixelTypes& types = {},
    const std::optional<PixelEpilogue>& epilogue = std::nullopt);
// Scratch memory that it needs.
int64_t ChannelsLastScratchBytes(int64_t images, const PixelShape& shape);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_CHANNELS_LAST_STEP_H_
