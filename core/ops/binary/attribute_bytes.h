// Attributes as bytes: names, so that what a newer or older program has written
// is told apart from what this one reads.
#ifndef DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_
#define DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_

#include "absl/status/status.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/ops/binary/constants_section.h"

namespace dovetail {

// Large tensors go to `constants`, where it is given.
absl::Status WriteAttributes(const Attributes& attributes, ByteWriter& writer,
                             ConstantsWriter* constants = nullptr);

// Sets all of `attributes`. kDataLoss names an attribute that lacks, is not
// known or is of another type.
absl::Status ReadAttributes(ByteReader& reader, Attributes& attributes,
                            ConstantsReader* constants = nullptr);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_
