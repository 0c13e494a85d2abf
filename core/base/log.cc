#include "dovetail/core/base/log.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr LogLevel kLevels[] = {LogLevel::kNone,    LogLevel::kError,
                                LogLevel::kWarning, LogLevel::kInfo,
                                LogLevel::kDebug,   LogLevel::kTrace};

// One call, so that lines of several threads and processes stay whole.
void WriteToStderr(LogLevel level, absl::string_view message) {
  absl::string_view name = LogLevelName(level);
  name.remove_prefix(absl::string_view("LOG_").size());
  const std::string line =
      absl::StrCat("[dovetail ", name, "] ", message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

LogLevel LevelOfEnvironment() {
  const char* const name = std::getenv("DOVETAIL_LOG_LEVEL");
  if (name == nullptr) return LogLevel::kNone;
  const absl::StatusOr<LogLevel> level = ParseLogLevel(name);
  if (level.ok()) return *level;
  WriteToStderr(LogLevel::kError,
                absl::StrCat("DOVETAIL_LOG_LEVEL: ", level.status().message()));
  return LogLevel::kNone;
}

struct Sink {
  std::mutex mutex;
  LogSink sink;
};

// Never destroyed: threads may log while the process ends.
Sink& TheSink() {
  static auto& sink = *new Sink;
  return sink;
}

thread_local bool in_sink = false;

}  // namespace

namespace log_internal {
// What is logged before this is set, by other objects' constructors, is off.
std::atomic<LogLevel> level = LevelOfEnvironment();
}  // namespace log_internal

absl::string_view LogLevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kNone:
      return "LOG_NONE";
    case LogLevel::kError:
      return "LOG_ERROR";
    case LogLevel::kWarning:
      return "LOG_WARNING";
    case LogLevel::kInfo:
      return "LOG_INFO";
    case LogLevel::kDebug:
      return "LOG_DEBUG";
    case LogLevel::kTrace:
      return "LOG_TRACE";
  }
  return "LOG_NONE";
}

absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view name) {
  std::string names;
  for (const LogLevel level : kLevels) {
    if (name == LogLevelName(level)) return level;
    absl::StrAppend(&names, names.empty() ? "" : ", ", LogLevelName(level));
  }
  return InvalidArgument("'", name, "' is no level of the log; there are ",
                         names);
}

void SetLogLevel(LogLevel level) {
  log_internal::level.store(level, std::memory_order_relaxed);
}

LogLevel GetLogLevel() {
  return log_internal::level.load(std::memory_order_relaxed);
}

void SetLogSink(LogSink sink) {
  std::lock_guard<std::mutex> lock(TheSink().mutex);
  TheSink().sink = std::move(sink);
}

void Log(LogLevel level, absl::string_view message) {
  if (in_sink) return WriteToStderr(level, message);
  std::lock_guard<std::mutex> lock(TheSink().mutex);
  if (!TheSink().sink) return WriteToStderr(level, message);
  in_sink = true;
  TheSink().sink(level, message);
  in_sink = false;
}

}  // namespace dovetail
