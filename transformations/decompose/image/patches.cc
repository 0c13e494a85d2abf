// ExtractImagePatches, Col2Im, ReorgYolo and RegionYolo.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/image/patches/col2im.h"
#include "dovetail/core/ops/image/patches/extract_image_patches.h"
#include "dovetail/core/ops/image/yolo/region_yolo.h"
#include "dovetail/core/ops/image/yolo/reorg_yolo.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/image/rules.h"

namespace dovetail {
namespace {

// Constants of more indices would take more memory than the images.
constexpr int64_t kMaxIndices = int64_t{1} << 22;

// a * b is at most that.
bool IsSmall(int64_t a, int64_t b) {
  return a <= kMaxIndices && b <= kMaxIndices / std::max<int64_t>(a, 1);
}

// Zeros before and after the last two axes.
Value PadImage(NodeBuilder& b, Value x, const std::vector<int64_t>& before,
               const std::vector<int64_t>& after) {
  std::vector<int64_t> first(x.shape().rank() - 2, 0), last = first;
  first.insert(first.end(), before.begin(), before.end());
  last.insert(last.end(), after.begin(), after.end());
  return b.Make("Pad", {x, b.Ints(first), b.Ints(last), b.Number(x.type(), 0)},
                {{"pad_mode", std::string("constant")}});
}

// Which element of the padded axis element k of window o is: [kernel, output].
std::vector<int64_t> ElementsOf(const WindowAxis& axis) {
  std::vector<int64_t> elements;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    for (int64_t o = 0; o < axis.output; ++o) {
      elements.push_back(o * axis.stride + k * axis.dilation);
    }
  }
  return elements;
}

// How far windows go beyond the input at its end.
int64_t Beyond(const WindowAxis& axis) {
  return std::max<int64_t>(
      0, axis.Begin(axis.output - 1) + axis.span() - axis.input);
}

// Rows of patches, then columns, by Gather.
Replacement ExtractPatches(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<ExtractImagePatchesAttributes>();
  Value x = b.input(0);
  const PartialShape& shape = x.shape();
  const PartialShape& output = node.port().shape;
  if (!shape.rank_known() || !shape[2].is_static() || !shape[3].is_static() ||
      !output[2].is_static() || !output[3].is_static()) {
    return {};
  }
  std::vector<WindowAxis> axes;
  for (int i = 0; i < 2; ++i) {
    axes.push_back(ResolveWindow(attributes.window, i, shape[2 + i].value(),
                                 attributes.sizes[i], output[2 + i].value()));
    if (axes[i].output < 1 || !IsSmall(axes[i].kernel, axes[i].output)) {
      return {};
    }
  }
  x = PadImage(b, x, {axes[0].pad_begin, axes[1].pad_begin},
               {Beyond(axes[0]), Beyond(axes[1])});
  const auto gather = [&](Value from, const WindowAxis& axis, int64_t number) {
    const Value elements =
        b.ReshapeTo(b.Ints(ElementsOf(axis)), {axis.kernel, axis.output});
    return b.Gather(from, elements, number);
  };
  // [N, C, kernel, rows, kernel, columns] -> kernels before channels
  x = b.Transpose(gather(gather(x, axes[0], 2), axes[1], 4),
                  {0, 2, 4, 1, 3, 5});
  return {b.Reshape(x, b.Concat({b.Dim(x, 0), b.Product(b.Dims(x, 1, 4)),
                                 b.Ints({axes[0].output, axes[1].output})}))};
}

// What an element of a patch adds to: numbers in the padded image, whose rows
// have `width` elements, as [kernels, positions] in C order.
std::vector<int64_t> Targets(const std::vector<WindowAxis>& axes,
                             int64_t width) {
  std::vector<int64_t> targets;
  const WindowAxis &rows = axes[0], &columns = axes[1];
  for (int64_t k = 0; k < rows.kernel * columns.kernel; ++k) {
    for (int64_t o = 0; o < rows.output * columns.output; ++o) {
      const int64_t y = o / columns.output * rows.stride +
                        k / columns.kernel * rows.dilation;
      const int64_t x = o % columns.output * columns.stride +
                        k % columns.kernel * columns.dilation;
      targets.push_back(y * width + x);
    }
  }
  return targets;
}

// Patches [planes, kernels * positions] added up to images.
Value SumPatches(NodeBuilder& b, Value patches, const std::vector<int64_t>& to,
                 int64_t area) {
  const Value planes = b.Dim(patches, 0);
  const Value zeros = b.Broadcast(b.Number(patches.type(), 0),
                                  b.Concat({planes, b.Ints({area})}));
  const Value targets = b.Broadcast(b.Ints(to), b.ShapeOf(patches));
  return b.Make("ScatterElementsUpdate", {zeros, targets, patches, b.Int(1)},
                {{"reduction", std::string("sum")}});
}

Replacement Col2Im(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const auto image = KnownInts(b.input(1)), kernel = KnownInts(b.input(2));
  if (!x.shape().rank_known() || !image.has_value() || !kernel.has_value() ||
      image->size() != 2 || kernel->size() != 2 || BitWidth(b.type()) < 16) {
    return {};
  }
  const SlidingWindow& window = node.As<Col2ImAttributes>()->window;
  std::vector<WindowAxis> axes;
  std::vector<int64_t> padded;
  for (int i = 0; i < 2; ++i) {
    axes.push_back(ResolveWindow(window, i, (*image)[i], (*kernel)[i], 0));
    WindowAxis& axis = axes[i];
    padded.push_back(axis.pad_begin + axis.input + axis.pad_end);
    axis.output = (padded[i] - axis.span()) / axis.stride + 1;
    if (axis.output < 1 || !IsSmall(axis.kernel, axis.output)) return {};
  }
  if (!IsSmall(axes[0].kernel * axes[0].output,
               axes[1].kernel * axes[1].output)) {
    return {};
  }
  const std::vector<int64_t> to = Targets(axes, padded[1]);
  const Value flat =
      b.ReshapeTo(x, {-1, static_cast<int64_t>(to.size())});
  const Value sums = SumPatches(b, flat, to, padded[0] * padded[1]);
  const int rank = x.shape().rank();
  const Value channels =
      b.Divide(b.Dim(x, rank - 2),
               static_cast<double>((*kernel)[0] * (*kernel)[1]));
  const Value extents = b.Concat({channels, b.Ints(padded)});
  Value y =
      b.Reshape(sums, rank == 3 ? b.Concat({b.Dim(x, 0), extents}) : extents);
  for (int i = 0; i < 2; ++i) {
    y = b.Slice(y, rank - 1 + i, axes[i].pad_begin,
                axes[i].pad_begin + axes[i].input);
  }
  return {y};
}

// The kernel sees the data as [N, C / s^2, H, s, W, s] and puts the squares in
// front of the channels.
Replacement ReorgYolo(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const int64_t s = node.As<ReorgYoloAttributes>()->stride;
  if (!x.shape().rank_known() || !x.shape()[1].is_static()) return {};
  const int64_t channels = x.shape()[1].value();
  if (s < 1 || s > channels || channels / s % s != 0 || channels % s != 0) {
    return {};
  }
  const Value batch = b.Dim(x, 0), height = b.Dim(x, 2), width = b.Dim(x, 3);
  const Value one = b.Ints({s});
  const Value squares = b.Reshape(
      x,
      b.Concat({batch, b.Ints({channels / (s * s)}), height, one, width, one}));
  const double stride = static_cast<double>(s);
  return {
      b.Reshape(b.Transpose(squares, {0, 3, 5, 1, 2, 4}),
                b.Concat({batch, b.Ints({channels * s * s}),
                          b.Divide(height, stride), b.Divide(width, stride)}))};
}

// Boxes [N, regions, entries, H, W], activated.
Value ActivateBoxes(NodeBuilder& b, Value boxes,
                    const RegionYoloAttributes& attributes) {
  const int64_t coords = attributes.coords;
  const int64_t moved = std::min<int64_t>(coords, 2);
  std::vector<Value> parts;
  const auto part = [&](int64_t begin, int64_t end) {
    return b.Slice(boxes, 2, begin, end);
  };
  const auto logistic = [&](Value x) { return b.Make("Sigmoid", {x}); };
  if (moved > 0) parts.push_back(logistic(part(0, moved)));
  if (coords > moved) parts.push_back(part(moved, coords));
  const int64_t entries = attributes.entries();
  if (!attributes.do_softmax) {
    parts.push_back(logistic(part(coords, entries)));
    return b.Concat(parts, 2);
  }
  parts.push_back(logistic(part(coords, coords + 1)));
  if (attributes.classes > 0) {
    const int64_t axis = 2;
    parts.push_back(b.Make("Softmax", {part(coords + 1, entries)},
                           {{"axis", axis}}));
  }
  return b.Concat(parts, 2);
}

Replacement RegionYolo(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const auto& attributes = *node.As<RegionYoloAttributes>();
  const PartialShape& shape = x.shape();
  const int64_t regions = attributes.regions();
  const int64_t entries = attributes.entries();
  if (!shape.rank_known() || !shape[1].is_static() ||
      shape[1].value() != regions * entries || regions == 0) {
    return {};
  }
  const Value boxes = b.Reshape(
      x, b.Concat({b.Dim(x, 0), b.Ints({regions, entries}), b.Dims(x, 2, 4)}));
  const Value y = ActivateBoxes(b, boxes, attributes);
  if (!attributes.do_softmax) return {b.Reshape(y, b.ShapeOf(x))};
  const auto positive = [](int64_t axis) {
    return static_cast<int>(axis < 0 ? axis + 4 : axis);
  };
  const int begin = positive(attributes.axis);
  const int end = positive(attributes.end_axis) + 1;
  std::vector<Value> extents;
  if (begin > 0) extents.push_back(b.Dims(x, 0, begin));
  extents.push_back(b.Product(b.Dims(x, begin, end)));
  if (end < 4) extents.push_back(b.Dims(x, end, 4));
  return {b.Reshape(y, b.Concat(extents))};
}

constexpr NodeRule kRules[] = {
    {"Col2Im", 15, "ScatterElementsUpdate of sums", &Col2Im},
    {"ExtractImagePatches", 3, "Gather of rows, then of columns",
     &ExtractPatches},
    {"RegionYolo", 0, "Sigmoid and Softmax of parts of the boxes", &RegionYolo},
    {"ReorgYolo", 0, "Transpose of squares to channels", &ReorgYolo},
};

}  // namespace

absl::Span<const NodeRule> PatchDecompositions() { return kRules; }

}  // namespace dovetail
