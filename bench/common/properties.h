// Properties among the arguments of a benchmark program.
#ifndef DOVETAIL_BENCH_COMMON_PROPERTIES_H_
#define DOVETAIL_BENCH_COMMON_PROPERTIES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

// What arguments such as "NUM_STREAMS=2" set; the last one of a name counts.
// kInvalidArgument for one without a name or without "=".
absl::StatusOr<PropertyMap> PropertiesOf(absl::Span<char* const> arguments);

}  // namespace dovetail

#endif  // DOVETAIL_BENCH_COMMON_PROPERTIES_H_
