// Errors as values: the two macros that pass them on, and short makers of
// messages. Every fallible function of Dovetail answers absl::Status or
// absl::StatusOr; no exception crosses an interface.
#ifndef DOVETAIL_CORE_BASE_STATUS_H_
#define DOVETAIL_CORE_BASE_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Returns from the enclosing function when `expr` (an absl::Status) is not OK.
#define DOVETAIL_RETURN_IF_ERROR(expr)                  \
  do {                                                  \
    if (::absl::Status dovetail_status_ = (expr);       \
        !dovetail_status_.ok()) {                       \
      return dovetail_status_;                          \
    }                                                   \
  } while (false)

#define DOVETAIL_CONCAT_INNER_(a, b) a##b
#define DOVETAIL_CONCAT_(a, b) DOVETAIL_CONCAT_INNER_(a, b)

// Evaluates `expr` (an absl::StatusOr<T>); returns its status when it is not
// OK, else assigns the value to `lhs`, which may declare a variable.
#define DOVETAIL_ASSIGN_OR_RETURN(lhs, expr) \
  DOVETAIL_ASSIGN_OR_RETURN_IMPL_(           \
      DOVETAIL_CONCAT_(dovetail_statusor_, __LINE__), lhs, expr)
#define DOVETAIL_ASSIGN_OR_RETURN_IMPL_(statusor, lhs, expr) \
  auto statusor = (expr);                                    \
  if (!statusor.ok()) return std::move(statusor).status();   \
  lhs = std::move(statusor).value()

namespace dovetail {

// Makers of the common errors: the parts are joined as by absl::StrCat. Which
// code means what is in docs/architecture.md.

template <typename... Parts>
absl::Status InvalidArgument(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status OutOfRange(const Parts&... parts) {
  return absl::OutOfRangeError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status NotFound(const Parts&... parts) {
  return absl::NotFoundError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status Unimplemented(const Parts&... parts) {
  return absl::UnimplementedError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status FailedPrecondition(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status AlreadyExists(const Parts&... parts) {
  return absl::AlreadyExistsError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status Unavailable(const Parts&... parts) {
  return absl::UnavailableError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status ResourceExhausted(const Parts&... parts) {
  return absl::ResourceExhaustedError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status DataLoss(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status Internal(const Parts&... parts) {
  return absl::InternalError(absl::StrCat(parts...));
}

// The same error with `context` and a colon before its message; OK stays OK.
absl::Status Annotate(const absl::Status& status, absl::string_view context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_STATUS_H_
