#include "dovetail/backends/vpu/program/text_fields.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// Beyond what any line has.
constexpr size_t kMaxFields = 64;

// Where the quoted text that begins at 0 ends; npos: nowhere.
size_t EndOfQuoted(absl::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i;
    }
  }
  return absl::string_view::npos;
}

absl::string_view UpToSpace(absl::string_view text) {
  return text.substr(0, text.find(' '));
}

}  // namespace

void FieldWriter::operator()(absl::string_view name, const std::string& text) {
  Add(name, absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\""));
}

void FieldWriter::operator()(absl::string_view name, int64_t number) {
  Add(name, absl::StrCat(number));
}

void FieldWriter::operator()(absl::string_view name,
                             const std::vector<int>& list) {
  Add(name, absl::StrJoin(list, ","));
}

void FieldWriter::Add(absl::string_view name, std::string value) {
  fields_.push_back({std::string(name), std::move(value)});
}

std::string FieldWriter::LineWithout(const FieldWriter& defaults) const {
  std::vector<std::string> words;
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    if (!field.is_enum && field.value == defaults.fields_[i].value) continue;
    words.push_back(absl::StrCat(field.name, "=", field.value));
  }
  return absl::StrJoin(words, " ");
}

absl::StatusOr<FieldReader> FieldReader::Of(absl::string_view line) {
  FieldReader reader;
  while (true) {
    while (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    if (line.empty()) return reader;
    DOVETAIL_RETURN_IF_ERROR(reader.Take(line));
  }
}

absl::Status FieldReader::Take(absl::string_view& rest) {
  if (fields_.size() == kMaxFields) {
    return InvalidArgument("there are more than ", kMaxFields, " fields");
  }
  const size_t equals = rest.find('=');
  if (equals == absl::string_view::npos || equals > rest.find(' ')) {
    return InvalidArgument("'", UpToSpace(rest), "' is not key=value");
  }
  Field field;
  field.name = std::string(rest.substr(0, equals));
  rest.remove_prefix(equals + 1);
  field.is_text = !rest.empty() && rest[0] == '"';
  if (field.is_text) {
    const size_t end = EndOfQuoted(rest);
    std::string error;
    if (end == absl::string_view::npos) {
      return InvalidArgument("the text of ", field.name, " has no end");
    }
    if (!absl::CUnescape(rest.substr(1, end - 1), &field.value, &error)) {
      return InvalidArgument("the text of ", field.name, ": ", error);
    }
    rest.remove_prefix(end + 1);
  } else {
    field.value = std::string(UpToSpace(rest));
    rest.remove_prefix(field.value.size());
  }
  for (const Field& other : fields_) {
    if (other.name != field.name) continue;
    return InvalidArgument(field.name, " is given twice");
  }
  fields_.push_back(std::move(field));
  return absl::OkStatus();
}

const FieldReader::Field* FieldReader::Find(absl::string_view name,
                                            bool is_text) {
  known_.emplace_back(name);
  const auto it =
      std::find_if(fields_.begin(), fields_.end(),
                   [&](const Field& field) { return field.name == name; });
  if (it == fields_.end() || !status_.ok()) return nullptr;
  it->is_read = true;
  if (it->is_text == is_text) return &*it;
  status_ = InvalidArgument(name, " has to stand ",
                            is_text ? "in quotes" : "without quotes");
  return nullptr;
}

template <typename Number>
void FieldReader::ReadNumber(absl::string_view name, Number& number) {
  const Field* const field = Find(name, /*is_text=*/false);
  if (field == nullptr || absl::SimpleAtoi(field->value, &number)) return;
  status_ =
      InvalidArgument(name, "=", field->value, " is not a whole number of ",
                      8 * sizeof(Number), " bits");
}

void FieldReader::operator()(absl::string_view name, std::string& text) {
  const Field* const field = Find(name, /*is_text=*/true);
  if (field != nullptr) text = field->value;
}

void FieldReader::operator()(absl::string_view name, int& number) {
  ReadNumber(name, number);
}

void FieldReader::operator()(absl::string_view name, int64_t& number) {
  ReadNumber(name, number);
}

void FieldReader::operator()(absl::string_view name, std::vector<int>& list) {
  const Field* const field = Find(name, /*is_text=*/false);
  if (field == nullptr) return;
  for (const absl::string_view word : absl::StrSplit(field->value, ',')) {
    if (absl::SimpleAtoi(word, &list.emplace_back())) continue;
    status_ = InvalidArgument(name, "=", field->value,
                              " is not a list of numbers such as 0,3");
    return;
  }
}

int FieldReader::IndexOf(absl::string_view name,
                         absl::Span<const absl::string_view> names) {
  const Field* const field = Find(name, /*is_text=*/false);
  if (field == nullptr) return -1;
  const auto it = std::find(names.begin(), names.end(), field->value);
  if (it != names.end()) return static_cast<int>(it - names.begin());
  status_ = InvalidArgument(name, "=", field->value, ", want one of ",
                            absl::StrJoin(names, ", "));
  return -1;
}

absl::Status FieldReader::Finish() const {
  DOVETAIL_RETURN_IF_ERROR(status_);
  for (const Field& field : fields_) {
    if (field.is_read) continue;
    const std::string nearest = Nearest(field.name, known_);
    return InvalidArgument(
        "there is no field '", field.name, "'",
        nearest.empty() ? "" : absl::StrCat("; did you mean '", nearest, "'?"));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::vpu
