// Strides by which ranges, scales and shifts are read while the data is walked
// through.
#ifndef DOVETAIL_CORE_REFERENCE_QUANTIZATION_BROADCAST_TO_DATA_H_
#define DOVETAIL_CORE_REFERENCE_QUANTIZATION_BROADCAST_TO_DATA_H_

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Strides by which a tensor of that shape, aligned at the last axis of the
// data, is read; leading axes that the data has not are of extent 1.
inline ElementStrides BroadcastToDataStrides(const Shape& shape,
                                             const Shape& data) {
  const int extra = shape.rank() - data.rank();
  return BroadcastStrides(
      extra > 0 ? Shape(shape.dims().subspan(extra)) : shape, data);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_QUANTIZATION_BROADCAST_TO_DATA_H_
