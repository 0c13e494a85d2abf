#include "dovetail/core/base/testing/captured_log.h"

#include "absl/strings/match.h"

namespace dovetail {

CapturedLog::CapturedLog(LogLevel level) : level_before_(GetLogLevel()) {
  SetLogSink([this](LogLevel of, absl::string_view message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    messages_.emplace_back(of, message);
  });
  SetLogLevel(level);
}

CapturedLog::~CapturedLog() {
  SetLogLevel(level_before_);
  SetLogSink({});
}

std::vector<CapturedLog::Message> CapturedLog::MessagesWith(
    absl::string_view part) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Message> found;
  for (const Message& message : messages_) {
    if (absl::StrContains(message.second, part)) found.push_back(message);
  }
  return found;
}

}  // namespace dovetail
