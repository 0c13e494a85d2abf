#include "dovetail/core/reference/dispatch.h"

namespace dovetail {

absl::Status NoKernelFor(const KernelContext& context, ElementType type) {
  return context.Unsupported("element type ", ElementTypeName(type),
                             " has no kernel");
}

}  // namespace dovetail
