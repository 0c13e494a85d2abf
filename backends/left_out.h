// The devices that this build knows but leaves out, so that asking for one can
// be answered with the flag that brings it in instead of "no such device".
#ifndef DOVETAIL_BACKENDS_LEFT_OUT_H_
#define DOVETAIL_BACKENDS_LEFT_OUT_H_

#include "absl/types/span.h"

namespace dovetail {

struct LeftOutBackend {
  const char* device;  // as a user names it: "GPU"
  const char* flag;    // brings it in: "--//backends:with_gpu=true"
};

// Made by the build from the table in backends.bzl.
absl::Span<const LeftOutBackend> LeftOutBackends();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_LEFT_OUT_H_
