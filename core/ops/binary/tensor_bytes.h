// Types, shapes and tensors as bytes.
#ifndef DOVETAIL_CORE_OPS_BINARY_TENSOR_BYTES_H_
#define DOVETAIL_CORE_OPS_BINARY_TENSOR_BYTES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/ops/binary/constants_section.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

void WriteElementType(ElementType type, ByteWriter& writer);
void WritePartialShape(const PartialShape& shape, ByteWriter& writer);
// Elements are written as they lie in memory, so in the machine's byte order;
// those of large tensors to `constants`, where it is given.
absl::Status WriteTensor(const Tensor& tensor, ByteWriter& writer,
                         ConstantsWriter* constants = nullptr);

// kDataLoss for bytes that none of the above has written. A tensor gets memory
// of its own, and not before it is certain that its elements are there, or is a
// view of what `constants` has.
absl::StatusOr<ElementType> ReadElementType(ByteReader& reader);
absl::StatusOr<PartialShape> ReadPartialShape(ByteReader& reader);
absl::StatusOr<Tensor> ReadTensor(ByteReader& reader,
                                  ConstantsReader* constants = nullptr);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_TENSOR_BYTES_H_
