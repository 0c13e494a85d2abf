// Where bytes go that are written one after the other: a file, memory.
#ifndef DOVETAIL_CORE_BASE_FILES_BYTE_SINK_H_
#define DOVETAIL_CORE_BASE_FILES_BYTE_SINK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Takes the bytes before it returns. After an error the sink is of no more
  // use: how much of the bytes has arrived is unknown.
  virtual absl::Status Append(absl::string_view bytes) = 0;
};

// Appends to a text that outlives it.
class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string* text) : text_(*text) {}
  absl::Status Append(absl::string_view bytes) override {
    text_.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  }

 private:
  std::string& text_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_FILES_BYTE_SINK_H_
