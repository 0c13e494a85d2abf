// Appends the values of constants to the weights, equal ones only once.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_CONSTANTS_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_CONSTANTS_WRITER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/tensor.h"
#include "pugixml.hpp"

namespace dovetail::ir {

class ConstantsWriter {
 public:
  // Takes bytes to be appended.
  using Sink = std::function<absl::Status(absl::string_view bytes)>;

  explicit ConstantsWriter(Sink sink) : sink_(std::move(sink)) {}

  // Appends the elements, unless they are there already, and sets element_type,
  // shape, offset and size of <data>. Constants begin at multiples of 8 bytes,
  // large ones of 64, so that a reader can use them where they are. Errors of
  // the sink, or kInvalidArgument for strings that are too long for the format.
  absl::Status Write(const Tensor& value, pugi::xml_node data);

 private:
  struct Written {
    std::string bytes;  // of what does not stay alive elsewhere
    Tensor tensor;      // else keeps the bytes alive
    absl::string_view view() const;
    int64_t offset = 0;
  };

  absl::Status Append(absl::string_view bytes, int64_t* offset);

  Sink sink_;
  int64_t size_ = 0;
  // By size and hash.
  std::multimap<std::pair<size_t, size_t>, Written> written_;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_CONSTANTS_WRITER_H_
