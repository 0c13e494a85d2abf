// Exceptions of the standard library, of which there is one wherever memory
// runs out, end here: no interface lets one through.
#ifndef DOVETAIL_CORE_BASE_CATCH_EXCEPTIONS_H_
#define DOVETAIL_CORE_BASE_CATCH_EXCEPTIONS_H_

#include <exception>
#include <new>
#include <stdexcept>

#include "dovetail/core/base/status.h"

namespace dovetail {

// What `body()` answers, which is an absl::Status or absl::StatusOr. What it
// throws becomes kResourceExhausted, when memory is out or a size is more than
// a container can have, else kInternal, with a message that begins with what
// `describe()` says.
template <typename Describe, typename Body>
auto CatchExceptions(const Describe& describe, const Body& body)
    -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return ResourceExhausted(describe(), ": out of memory");
  } catch (const std::length_error&) {
    return ResourceExhausted(describe(), ": a size is too large");
  } catch (const std::exception& e) {
    return Internal(describe(), ": ", e.what());
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_CATCH_EXCEPTIONS_H_
