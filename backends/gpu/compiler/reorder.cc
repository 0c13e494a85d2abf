#include "dovetail/backends/gpu/compiler/reorder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/kernel_writer.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/compiler/reorder_tiles.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

bool IsHalfConversion(ElementType from, ElementType to) {
  const auto is_one = [](ElementType type) {
    return type == ElementType::kF32 || type == ElementType::kF16;
  };
  return is_one(from) && is_one(to);
}

// Statements that copy the element number `at` of the source, or a zero where
// it is padding, to the element number i of the target.
absl::StatusOr<std::string> Assignment(ElementType from, ElementType to) {
  if (from == to) {
    return std::string("target[i] = at < 0 ? 0 : source[at];\n");
  }
  if (!IsHalfConversion(from, to)) {
    return Unimplemented("the GPU has no reorder from ", ElementTypeName(from),
                         " to ", ElementTypeName(to),
                         "; there is one between f32 and f16");
  }
  if (to == ElementType::kF16) {
    return std::string(
        "store_floats1_half(at < 0 ? 0.0f : source[at], target + i);\n");
  }
  return std::string("target[i] = at < 0 ? 0.0f : vload_half(at, source);\n");
}

// Of the element `name` in that layout: image n, channel c, position s of its
// `area` positions.
std::string Index(Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (layout == Layout::kPlanar) return "(n * channels + c) * area + s";
  if (block == 1) return "(n * area + s) * channels + c";
  return absl::StrCat("((n * ((channels + ", block - 1, ") / ", block,
                      ") + c / ", block, ") * area + s) * ", block, " + c % ",
                      block);
}

// What takes the number i of an element in that layout apart.
std::string Decompose(Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (layout == Layout::kPlanar) {
    return "const int s = i % area, c = i / area % channels,\n"
           "          n = i / area / channels;\n";
  }
  if (block == 1) {
    return "const int c = i % channels, s = i / channels % area,\n"
           "          n = i / channels / area;\n";
  }
  return absl::StrCat("const int blocks = (channels + ", block - 1, ") / ",
                      block, ";\nconst int s = i / ", block,
                      " % area, q = i / ", block,
                      " / area;\nconst int c = q % blocks * ", block, " + i % ",
                      block, ", n = q / blocks;\n");
}

struct Sizes {
  int64_t channels = 1, area = 1, count = 0;
};

Sizes SizesOf(const Shape& shape, Layout to, bool same) {
  if (same) return {1, 1, shape.Count()};
  return {shape[1], shape.Count(2, shape.rank()), StoredElements(shape, to)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<LaunchStep>> MakeReorderStep(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings) {
  const bool same = SameOrder(shape, from.layout, to.layout);
  if (!same) {
    auto tiles = MakeTileReorderStep(shape, from, to, settings.lanes);
    if (tiles != nullptr) return tiles;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string assignment,
                            Assignment(from.type, to.type));
  Sizes sizes = SizesOf(shape, to.layout, same);
  if (same) sizes.count = StoredElements(shape, from.layout);
  KernelWriter writer;
  int bytes = BitWidth(from.type) / 8;
  if (from.type == to.type) {
    // Elements that are parts of bytes only ever move in whole bytes.
    if (bytes == 0) sizes.count = StoredBytes(shape, from);
    writer.Input("source", ClBytes(bytes));
    writer.Output("target", ClBytes(bytes));
  } else {
    writer.Input("source", ClType(from.type));
    writer.Output("target", ClType(to.type));
    AddFloatFunctions(to.type, 1, writer);
  }
  for (const char* name : {"count", "channels", "area"}) writer.Int(name);
  writer.Group(settings.lanes.group);
  writer.Body("const int i = get_global_id(0);\nif (i >= count) return;\n");
  if (same) {
    writer.Body("const int at = i;\n");
  } else {
    writer.Body(absl::StrCat(
        Decompose(to.layout),
        "const int at = c >= channels ? -1 : ", Index(from.layout), ";\n"));
  }
  writer.Body(assignment);
  auto step = std::make_unique<LaunchStep>(
      writer.Source(),
      std::vector<ScalarArgument>{static_cast<int32_t>(sizes.count),
                                  static_cast<int32_t>(sizes.channels),
                                  static_cast<int32_t>(sizes.area)},
      LinearRange(sizes.count, settings.lanes.group));
  const auto size = [](ElementType type) {
    return std::max(1, BitWidth(type) / 8);
  };
  step->element_bytes = {size(from.type), size(to.type)};
  return step;
}

}  // namespace dovetail::gpu
