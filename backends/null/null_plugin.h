// The device "NULL": takes every model, computes nothing and gives zeros. It is
// the smallest backend there is: a skeleton to copy (docs/adding_a_backend.md
// walks through it), and in benchmarks the time that everything but computing
// takes.
#ifndef DOVETAIL_BACKENDS_NULL_NULL_PLUGIN_H_
#define DOVETAIL_BACKENDS_NULL_NULL_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Linking this has no effect; linking :registration adds it to the registry.
absl::StatusOr<std::unique_ptr<Plugin>> MakeNullPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_NULL_NULL_PLUGIN_H_
