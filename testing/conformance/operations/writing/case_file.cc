#include "dovetail/testing/conformance/operations/writing/case_file.h"

#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<CaseFile> CaseFile::Read(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) return NotFound("cannot read ", path);
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  return CaseFile(path, text);
}

CaseFile::CaseFile(std::string path, absl::string_view text)
    : path_(std::move(path)) {
  // Lines that belong to the next case if one follows at once.
  std::string comments;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::string_view name = line;
    if (absl::ConsumePrefix(&name, "case ")) {
      blocks_.push_back({std::string(name), std::move(comments), ""});
      comments.clear();
    } else if (absl::StartsWith(line, "#")) {
      absl::StrAppend(&comments, line, "\n");
      continue;
    }
    std::string& rest = blocks_.empty() ? before_ : blocks_.back().text;
    absl::StrAppend(&rest, comments, line.empty() ? "" : line,
                    line.empty() ? "" : "\n");
    comments.clear();
  }
  absl::StrAppend(blocks_.empty() ? &before_ : &blocks_.back().text, comments);
}

void CaseFile::Put(const std::string& name, const std::string& text) {
  for (Block& block : blocks_) {
    if (block.name == name) {
      block.text = text;
      return;
    }
  }
  blocks_.push_back({name, "", text});
}

std::string CaseFile::Text() const {
  std::string text = before_;
  for (const Block& block : blocks_) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", block.comments,
                    block.text);
  }
  return text;
}

absl::Status CaseFile::Write() const {
  const absl::StatusOr<CaseFile> there = Read(path_);
  if (there.ok() && there->Text() == Text()) return absl::OkStatus();
  std::ofstream stream(path_, std::ios::trunc);
  stream << Text();
  stream.close();
  if (!stream) return Unavailable("cannot write ", path_);
  return absl::OkStatus();
}

}  // namespace dovetail
