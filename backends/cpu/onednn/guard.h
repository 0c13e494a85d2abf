// The border to oneDNN's C++ interface, which throws.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_GUARD_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_GUARD_H_

#include <exception>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "dovetail/core/base/status.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// kUnimplemented for what oneDNN cannot do here, kResourceExhausted without
// memory, else kInternal. `what` says what it was asked for.
absl::Status OneDnnError(const dnnl::error& error, absl::string_view what);

// Calls `body`, which uses oneDNN; what it throws comes back as a status.
template <typename Body>
absl::Status Guarded(absl::string_view what, Body&& body) {
  try {
    std::forward<Body>(body)();
    return absl::OkStatus();
  } catch (const dnnl::error& error) {
    return OneDnnError(error, what);
  } catch (const std::bad_alloc&) {
    return ResourceExhausted(what, ": out of memory");
  } catch (const std::exception& error) {
    return Internal(what, ": ", error.what());
  }
}

// The same for a body that returns a status, or a value or a status.
template <typename Body>
auto GuardedCall(absl::string_view what, Body&& body) {
  decltype(body()) result = Internal(what, ": nothing was done");
  const absl::Status status = Guarded(what, [&] { result = body(); });
  return status.ok() ? std::move(result) : decltype(body())(status);
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_GUARD_H_
