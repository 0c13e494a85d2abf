// RegionYolo: the last layer of a YOLO detector, version 2 or 3.
#ifndef DOVETAIL_CORE_OPS_IMAGE_YOLO_REGION_YOLO_H_
#define DOVETAIL_CORE_OPS_IMAGE_YOLO_REGION_YOLO_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct RegionYoloAttributes : public AttributesOf<RegionYoloAttributes> {
  // Of the boxes; whoever decodes the output wants them, nothing here.
  std::vector<double> anchors;
  int64_t axis = 1;
  int64_t coords = 4;
  int64_t classes = 0;
  int64_t end_axis = 1;
  int64_t num = 1;
  bool do_softmax = true;
  std::vector<int64_t> mask;

  // Boxes in each cell: version 3 uses those of the anchors in the mask.
  int64_t regions() const {
    return do_softmax ? num : static_cast<int64_t>(mask.size());
  }
  // Channels of a box: coordinates, whether there is an object, its class.
  int64_t entries() const { return coords + 1 + classes; }

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("anchors", anchors);
    visitor.Visit("axis", axis);
    visitor.Visit("coords", coords);
    visitor.Visit("classes", classes);
    visitor.Visit("end_axis", end_axis);
    visitor.Visit("num", num);
    visitor.Visit("do_softmax", do_softmax);
    visitor.Visit("mask", mask);
  }
};

// data [N, regions * entries, H, W] -> of the same elements, with do_softmax
// the axes from axis to end_axis as one.
absl::Status InferRegionYolo(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_YOLO_REGION_YOLO_H_
