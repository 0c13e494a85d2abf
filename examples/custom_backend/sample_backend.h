// A backend outside of Dovetail's own tree: the device SAMPLE, which computes
// Relu by itself and everything else by the reference kernels.
#ifndef SAMPLE_BACKEND_H_
#define SAMPLE_BACKEND_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

absl::StatusOr<std::unique_ptr<dovetail::Plugin>> MakeSamplePlugin();

#endif  // SAMPLE_BACKEND_H_
