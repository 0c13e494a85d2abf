// Log of what the library does, for whoever wants to know why: which
// cache entry was stale, which plugin did not load. Off unless LOG_LEVEL, or
// DOVETAIL_LOG_LEVEL in the environment, turns it on. Errors that a caller
// gets as a status are not said here again.
#ifndef DOVETAIL_CORE_BASE_LOG_H_
#define DOVETAIL_CORE_BASE_LOG_H_

#include <atomic>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// OpenVINO's levels; each includes those before it.
enum class LogLevel { kNone, kError, kWarning, kInfo, kDebug, kTrace };

// "LOG_NONE", "LOG_ERROR", "LOG_WARNING", "LOG_INFO", "LOG_DEBUG", "LOG_TRACE".
absl::string_view LogLevelName(LogLevel level);
// kInvalidArgument lists the names.
absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view name);

// Of the process; at first what the environment says.
void SetLogLevel(LogLevel level);
LogLevel GetLogLevel();

// Gets each message, one at a time, from any thread, without a line's end. It
// must not throw; what it logs itself goes to stderr. An empty one gives
// stderr back. Once SetLogSink returns the sink before is not called any more.
using LogSink = std::function<void(LogLevel level, absl::string_view message)>;
void SetLogSink(LogSink sink);

// DOVETAIL_LOG(kInfo, "cache entry ", path, " is stale"): the parts are joined
// as by absl::StrCat, and not even computed when the level is off.
#define DOVETAIL_LOG(level, ...)                             \
  do {                                                       \
    if (::dovetail::IsLogged(::dovetail::LogLevel::level)) { \
      ::dovetail::Log(::dovetail::LogLevel::level,           \
                      ::absl::StrCat(__VA_ARGS__));          \
    }                                                        \
  } while (false)

namespace log_internal {
extern std::atomic<LogLevel> level;
}  // namespace log_internal

inline bool IsLogged(LogLevel level) {
  return level <= log_internal::level.load(std::memory_order_relaxed);
}

// Whatever the level. Thread-safe.
void Log(LogLevel level, absl::string_view message);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_LOG_H_
