// Attributes as bytes: names, so that what a newer or older program has written
// is told apart from what this one reads.
#ifndef DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_
#define DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_

#include "absl/status/status.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/attributes.h"

namespace dovetail {

absl::Status WriteAttributes(const Attributes& attributes, ByteWriter& writer);

// Sets all of `attributes`. kDataLoss names an attribute that lacks, is not
// known or is of another type.
absl::Status ReadAttributes(ByteReader& reader, Attributes& attributes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_ATTRIBUTE_BYTES_H_
