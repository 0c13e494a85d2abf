// PriorBox and PriorBoxClustered: the default boxes of a single-shot detector,
// a few for each cell of a feature map.
#ifndef DOVETAIL_CORE_OPS_DETECTION_PRIOR_BOX_H_
#define DOVETAIL_CORE_OPS_DETECTION_PRIOR_BOX_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Sizes are in pixels of the input image.
struct PriorBoxAttributes : public AttributesOf<PriorBoxAttributes> {
  std::vector<double> min_size, max_size;
  std::vector<double> aspect_ratio;
  std::vector<double> density, fixed_ratio, fixed_size;
  bool flip = false;             // each aspect ratio's inverse too
  bool clip = false;             // coordinates to [0, 1]
  double step = 0;               // distance of cells; 0: image / feature map
  double offset = 0;             // of a box's centre in its cell, in cells
  std::vector<double> variance;  // none, one or four
  bool scale_all_sizes = true;
  // Version 8: whether the box from min and max size comes before those of the
  // aspect ratios.
  bool min_max_aspect_ratios_order = true;
  bool has_order = true;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("min_size", min_size);
    visitor.Visit("max_size", max_size);
    visitor.Visit("aspect_ratio", aspect_ratio);
    visitor.Visit("density", density);
    visitor.Visit("fixed_ratio", fixed_ratio);
    visitor.Visit("fixed_size", fixed_size);
    visitor.Visit("clip", clip);
    visitor.Visit("flip", flip);
    visitor.Visit("step", step);
    visitor.Visit("offset", offset);
    visitor.Visit("variance", variance);
    visitor.Visit("scale_all_sizes", scale_all_sizes);
    if (has_order) {
      visitor.Visit("min_max_aspect_ratios_order", min_max_aspect_ratios_order);
    }
  }
};

// Attributes of version 0.
std::unique_ptr<Attributes> MakePriorBox0Attributes();

struct PriorBoxClusteredAttributes
    : public AttributesOf<PriorBoxClusteredAttributes> {
  std::vector<double> width, height;  // one box for each pair, in pixels
  bool clip = true;
  double step = 0, step_w = 0, step_h = 0;  // 0: image / feature map
  double offset = 0;
  std::vector<double> variance;  // none, one or four

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("width", width);
    visitor.Visit("height", height);
    visitor.Visit("clip", clip);
    visitor.Visit("step", step);
    visitor.Visit("step_w", step_w);
    visitor.Visit("step_h", step_h);
    visitor.Visit("offset", offset);
    visitor.Visit("variance", variance);
  }
};

// The aspect ratios that boxes are made of: 1, those of the attribute that are
// not there yet, and, flipped, their inverses.
std::vector<double> AspectRatios(const PriorBoxAttributes& attributes);
// Boxes in one cell; at most an int64 holds, else negative.
int64_t PriorsPerCell(const PriorBoxAttributes& attributes);

// Feature map's [height, width], image's [height, width] ->
// f32 [2, height * width * boxes * 4]: the boxes' corners, then variances.
absl::Status InferPriorBox(InferContext& context);
absl::Status InferPriorBoxClustered(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_PRIOR_BOX_H_
