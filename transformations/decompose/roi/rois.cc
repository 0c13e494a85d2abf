#include "dovetail/transformations/decompose/roi/rois.h"

namespace dovetail {

Value RoiNumber(NodeBuilder& b, int64_t i) {
  return b.Gather(b.Convert(b.input(1), ElementType::kF32), b.Int(i), 1);
}

Value RoiImages(NodeBuilder& b) {
  return b.Convert(b.Maximum(RoiNumber(b, 0), 0.0), ElementType::kI64);
}

Value IsRoiListed(NodeBuilder& b) {
  const Value ends =
      b.Convert(b.Binary("Equal", RoiNumber(b, 0), -1.0), ElementType::kI32);
  return b.Binary("Equal", b.Make("CumSum", {ends, b.Int(0)}), 0.0);
}

}  // namespace dovetail
