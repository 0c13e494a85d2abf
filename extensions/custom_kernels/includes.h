// The `#include "file"` directives of kernel sources, replaced by the files'
// texts: what is compiled, cached and exported is then the whole text.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_INCLUDES_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_INCLUDES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"
#include "dovetail/extensions/custom_kernels/source_file.h"

namespace dovetail {

// `#line 7 "file"` and an end of line.
std::string LineDirective(int line, absl::string_view file);

// For all sources of one kernel, which are compiled as one text.
class IncludeInliner {
 public:
  // `leaves_missing`: a file that is not there is left to the driver's
  // compiler, which may know more folders.
  IncludeInliner(ReadSourceFn read, bool leaves_missing)
      : read_(std::move(read)), leaves_missing_(leaves_missing) {}

  // Puts each file that the source includes in quotes in its place, whether a
  // condition around it holds or not, and #line directives around it; fills
  // `source.includes`. A file is looked for beside the one that includes it,
  // then beside the configuration; `#pragma once` counts for all sources.
  // Errors name the including file and line: a file that is missing, one that
  // includes itself.
  absl::Status Inline(CustomSource& source);

 private:
  // A file whose text is being written, and those that led to it.
  struct Level {
    std::string name;
    std::string path;  // the name without "./" and the like
    const Level* below;
    int depth;
  };
  struct Found {
    std::string path, text;
  };

  absl::Status AppendFile(const Level& level, absl::string_view text);
  absl::Status AppendLines(const Level& level, absl::string_view text);
  absl::Status AppendInclude(const Level& level, int line,
                             absl::string_view text);
  absl::StatusOr<Found> Find(absl::string_view file, absl::string_view from);
  absl::Status CheckLevel(const Level& level) const;
  static std::string ChainTo(const Level& level, const Level* first);

  const ReadSourceFn read_;
  const bool leaves_missing_;
  std::map<std::string, int> once_;  // numbers of files that count once
  std::string out_;
  std::vector<std::string> paths_;
};

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_INCLUDES_H_
