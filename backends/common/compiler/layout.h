// In which order the elements of a tensor lie in memory between two steps.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUT_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUT_H_

#include <cstdint>
#include <string>

#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Tensors are always dense. All but kPlanar are for shapes [N, C, spatial …] of
// three to five axes.
enum class Layout : uint8_t {
  kPlanar,        // row-major, as the model has it
  kChannelsLast,  // N, spatial …, C
  // N, C / 8, spatial …, 8 (or 16): channels are padded with zeros to whole
  // blocks, and whoever writes the tensor writes these zeros too.
  kBlocked8,
  kBlocked16,
};

// As users see it, for a tensor of that rank: "plain" for row-major tensors,
// else "nhwc", "nChw8c", "nCw16c" and the like.
std::string LayoutText(Layout layout, int rank);

// 8, 16, or 1 for layouts without blocks.
int64_t ChannelBlock(Layout layout);

// How a tensor's elements are stored: their type, which may be another than the
// model's (bf16 for f32), and their order.
struct Format {
  ElementType type = ElementType::kDynamic;
  Layout layout = Layout::kPlanar;
  friend bool operator==(const Format&, const Format&) = default;
};

// Whether a tensor of that shape can lie so.
bool CanHaveLayout(const Shape& shape, Layout layout);

// Elements with the padding of channels, for a shape that CanHaveLayout.
int64_t StoredElements(const Shape& shape, Layout layout);
// The same in bytes.
int64_t StoredBytes(const Shape& shape, const Format& format);

// Whether both layouts put the elements of a tensor of that shape in the same
// places, as a planar tensor of one channel is a channels-last one too.
bool SameOrder(const Shape& shape, Layout a, Layout b);
// Whether a tensor of that shape is stored the same in both formats.
bool SameFormat(const Shape& shape, const Format& a, const Format& b);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUT_H_
