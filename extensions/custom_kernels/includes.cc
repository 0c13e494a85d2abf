#include "dovetail/extensions/custom_kernels/includes.h"

#include <cstddef>
#include <filesystem>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

// As deep as compilers go, and more text than one takes in a minute.
constexpr int kMaxDepth = 200;
constexpr size_t kMaxBytes = size_t{16} << 20;

bool ConsumeDirective(absl::string_view& line, absl::string_view name) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "#")) return false;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, name)) return false;
  line = absl::StripLeadingAsciiWhitespace(line);
  return true;
}

bool IsPragmaOnce(absl::string_view line) {
  return ConsumeDirective(line, "pragma") &&
         absl::StripTrailingAsciiWhitespace(line) == "once";
}

struct Include {
  absl::string_view file;
  absl::string_view rest;  // of the line
};

std::optional<Include> IncludeIn(absl::string_view line) {
  if (!ConsumeDirective(line, "include")) return std::nullopt;
  if (!absl::ConsumePrefix(&line, "\"")) return std::nullopt;
  const size_t end = line.find('"');
  if (end == absl::string_view::npos || end == 0) return std::nullopt;
  return Include{line.substr(0, end), line.substr(end + 1)};
}

// Whether the line behind this one begins within a comment, if this one does or
// does not.
bool EndsInComment(absl::string_view line, bool is_in) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const absl::string_view two = line.substr(i, 2);
    if (is_in) {
      if (two == "*/") is_in = false, ++i;
    } else if (quote != 0) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == quote)
        quote = 0;
    } else if (two == "/*") {
      is_in = true, ++i;
    } else if (two == "//") {
      return false;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    }
  }
  return is_in;
}

// Calls `visit(number, line, is_in_comment)` for each line, from 1.
template <typename Visit>
absl::Status ForEachLine(absl::string_view text, Visit visit) {
  bool is_in_comment = false;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    DOVETAIL_RETURN_IF_ERROR(visit(++number, line, is_in_comment));
    is_in_comment = EndsInComment(line, is_in_comment);
  }
  return absl::OkStatus();
}

bool CountsOnce(absl::string_view text) {
  if (!absl::StrContains(text, "once")) return false;
  bool once = false;
  const absl::Status status =
      ForEachLine(text, [&](int, absl::string_view line, bool is_in_comment) {
        once = once || (!is_in_comment && IsPragmaOnce(line));
        return absl::OkStatus();
      });
  return status.ok() && once;
}

std::string Normal(const fs::path& path) {
  return path.lexically_normal().string();
}

}  // namespace

std::string LineDirective(int line, absl::string_view file) {
  return absl::StrCat(
      "#line ", line, " \"",
      absl::StrReplaceAll(file, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", " "}}),
      "\"\n");
}

absl::Status IncludeInliner::Inline(CustomSource& source) {
  out_.clear();
  paths_.clear();
  const Level level = {source.name, Normal(source.name), nullptr, 0};
  DOVETAIL_RETURN_IF_ERROR(AppendFile(level, source.text));
  source.text = std::move(out_);
  source.includes = std::move(paths_);
  return absl::OkStatus();
}

// What counts once does so for the driver's compiler, which knows what is under
// a condition that does not hold.
absl::Status IncludeInliner::AppendFile(const Level& level,
                                        absl::string_view text) {
  if (!CountsOnce(text)) return AppendLines(level, text);
  const int next = static_cast<int>(once_.size());
  const int number = once_.emplace(level.path, next).first->second;
  const std::string guard = absl::StrCat("DOVETAIL_ONCE_", number);
  absl::StrAppend(&out_, "#ifndef ", guard, "\n#define ", guard, "\n",
                  LineDirective(1, level.name));
  DOVETAIL_RETURN_IF_ERROR(AppendLines(level, text));
  out_.append("\n#endif\n");
  return absl::OkStatus();
}

absl::Status IncludeInliner::AppendLines(const Level& level,
                                         absl::string_view text) {
  return ForEachLine(text,
                     [&](int number, absl::string_view line,
                         bool is_in_comment) -> absl::Status {
                       if (number > 1) out_.push_back('\n');
                       if (is_in_comment || !IncludeIn(line).has_value()) {
                         const bool is_dropped =
                             !is_in_comment && IsPragmaOnce(line);
                         if (!is_dropped) absl::StrAppend(&out_, line);
                         return absl::OkStatus();
                       }
                       return AppendInclude(level, number, line);
                     });
}

absl::Status IncludeInliner::AppendInclude(const Level& level, int line,
                                           absl::string_view text) {
  const Include include = *IncludeIn(text);
  const std::string where =
      absl::StrCat(level.name, ":", line, ": #include \"", include.file, "\"");
  auto found = Find(include.file, level.name);
  if (absl::IsNotFound(found.status()) && leaves_missing_) {
    absl::StrAppend(&out_, text);
    return absl::OkStatus();
  }
  if (!found.ok()) return Annotate(found.status(), where);
  const Level next = {found->path, found->path, &level, level.depth + 1};
  const absl::Status fits = CheckLevel(next);
  if (!fits.ok()) return Annotate(fits, where);
  absl::StrAppend(&out_, LineDirective(1, next.name));
  DOVETAIL_RETURN_IF_ERROR(AppendFile(next, found->text));
  absl::StrAppend(&out_, "\n", LineDirective(line, level.name), include.rest);
  return absl::OkStatus();
}

// "a.h, b.h, a.h".
std::string IncludeInliner::ChainTo(const Level& level, const Level* first) {
  std::string chain = level.name;
  for (const Level* one = level.below; one != first->below; one = one->below) {
    chain = absl::StrCat(one->name, ", ", chain);
  }
  return chain;
}

absl::StatusOr<IncludeInliner::Found> IncludeInliner::Find(
    absl::string_view file, absl::string_view from) {
  const fs::path beside = fs::path(from.begin(), from.end()).parent_path();
  const std::string name(file);
  const std::string near = Normal(beside / name), other = Normal(name);
  for (const std::string& path : {near, other}) {
    if (!absl::c_linear_search(paths_, path)) paths_.push_back(path);
    auto text = read_(path);
    if (text.ok()) return Found{path, *std::move(text)};
    if (!absl::IsNotFound(text.status())) return text.status();
    if (near == other) return NotFound("there is no file '", near, "'");
  }
  return NotFound("there is neither a file '", near, "' nor '", other, "'");
}

absl::Status IncludeInliner::CheckLevel(const Level& level) const {
  if (level.depth > kMaxDepth) {
    return InvalidArgument("files include one another more than ", kMaxDepth,
                           " deep");
  }
  if (out_.size() > kMaxBytes) {
    return InvalidArgument("the source is longer than ", kMaxBytes,
                           " bytes with what it includes");
  }
  for (const Level* one = level.below; one != nullptr; one = one->below) {
    if (one->path != level.path) continue;
    return InvalidArgument("a file may not include itself: ",
                           ChainTo(level, one));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
