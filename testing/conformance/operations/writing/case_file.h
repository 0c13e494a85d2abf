// A file of cases as text, to change some of them and leave the rest, comments
// too, as it is.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_FILE_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_FILE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

class CaseFile {
 public:
  static absl::StatusOr<CaseFile> Read(const std::string& path);
  // The same from the text of a file. A case goes on until the next begins;
  // lines that begin with "#" right before a case belong to it.
  CaseFile(std::string path, absl::string_view text);

  // Replaces the case of that name, or adds it at the end. `text` as CaseText
  // gives it; comments before the case stay.
  void Put(const std::string& name, const std::string& text);

  // With an empty line between cases.
  std::string Text() const;
  // Does nothing when the file has that text already.
  absl::Status Write() const;

 private:
  struct Block {
    std::string name;      // of the case
    std::string comments;  // lines before it
    std::string text;
  };
  std::string path_, before_;
  std::vector<Block> blocks_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_WRITING_CASE_FILE_H_
