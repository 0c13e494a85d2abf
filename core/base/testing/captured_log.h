// Tests of what is logged.
#ifndef DOVETAIL_CORE_BASE_TESTING_CAPTURED_LOG_H_
#define DOVETAIL_CORE_BASE_TESTING_CAPTURED_LOG_H_

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/base/log.h"

namespace dovetail {

// Keeps what the process logs while it lives, of `level` and those before it,
// instead of stderr; the level is then what it was before. One at a time. Any
// thread may log and read.
class CapturedLog {
 public:
  using Message = std::pair<LogLevel, std::string>;

  explicit CapturedLog(LogLevel level);
  ~CapturedLog();
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  // So far and in order, those with `part` in their text.
  std::vector<Message> MessagesWith(absl::string_view part) const;
  std::vector<Message> Messages() const { return MessagesWith(""); }

 private:
  const LogLevel level_before_;
  mutable std::mutex mutex_;
  std::vector<Message> messages_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_TESTING_CAPTURED_LOG_H_
