#include "dovetail/backends/cpu/onednn/guard.h"

namespace dovetail::cpu {

absl::Status OneDnnError(const dnnl::error& error, absl::string_view what) {
  switch (error.status) {
    case dnnl_unimplemented:
      return Unimplemented(what, ": oneDNN has no implementation");
    case dnnl_out_of_memory:
      return ResourceExhausted(what, ": out of memory");
    default:
      return Internal(what, ": oneDNN answers ",
                      error.message == nullptr ? "an error" : error.message,
                      " (status ", static_cast<int>(error.status), ")");
  }
}

}  // namespace dovetail::cpu
