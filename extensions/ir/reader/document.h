// From bytes to an XML tree that is safe to walk, and the small questions that
// every part of the reader asks it.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_DOCUMENT_H_
#define DOVETAIL_EXTENSIONS_IR_READER_DOCUMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Whether this is UTF-8 without control characters, as XML has to be.
// kInvalidArgument gives the line of the first wrong character.
absl::Status CheckText(absl::string_view text);

// A parsed file. Text is parsed in place: what the tree shows lives as long as
// the document.
class Document {
 public:
  // Errors as of CheckText, and kInvalidArgument with the line of what is no
  // XML. Entities of a DOCTYPE are not expanded, and
  // depth costs no stack.
  static absl::StatusOr<std::unique_ptr<Document>> Parse(std::string text);

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  pugi::xml_node root() const { return tree_.document_element(); }

 private:
  Document() = default;
  std::string text_;
  pugi::xml_document tree_;
};

// "<port> at byte 4711"
std::string LocationOf(pugi::xml_node element);

// The text of an attribute; kInvalidArgument names element and attribute when
// it is missing.
absl::StatusOr<absl::string_view> RequireText(pugi::xml_node element,
                                              const char* attribute);
// The same as an integer.
absl::StatusOr<int64_t> RequireInt(pugi::xml_node element,
                                   const char* attribute);
// An integer that may be missing.
absl::StatusOr<int64_t> IntOr(pugi::xml_node element, const char* attribute,
                              int64_t fallback);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_DOCUMENT_H_
