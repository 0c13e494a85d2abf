// Fields of a line of text: key=value, texts in quotes, lists by commas.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_TEXT_FIELDS_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_TEXT_FIELDS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/vpu/program/fields.h"

namespace dovetail::vpu {

// A visitor of fields.h that takes their values as text.
class FieldWriter {
 public:
  void operator()(absl::string_view name, const std::string& text);
  void operator()(absl::string_view name, int64_t number);
  void operator()(absl::string_view name, const std::vector<int>& list);
  void operator()(absl::string_view name, LayerKind kind) {
    AddEnum(name, kind);
  }
  void operator()(absl::string_view name, Lane lane) { AddEnum(name, lane); }
  void operator()(absl::string_view name, Place place) {
    AddEnum(name, place);
  }

  // Enumerations, and what is not as in `defaults`, which took the same fields.
  std::string LineWithout(const FieldWriter& defaults) const;

 private:
  struct Field {
    std::string name;
    std::string value;
    bool is_enum = false;
  };

  void Add(absl::string_view name, std::string value);
  template <typename Enum>
  void AddEnum(absl::string_view name, Enum value) {
    Add(name, std::string(NamesOf(value)[static_cast<size_t>(value)]));
    fields_.back().is_enum = true;
  }

  std::vector<Field> fields_;
};

// A visitor of fields.h that sets them to what a line says; those that it does
// not name stay as they are. Keeps the first error.
class FieldReader {
 public:
  // kInvalidArgument where the line is no list of fields, or has one twice.
  static absl::StatusOr<FieldReader> Of(absl::string_view line);

  void operator()(absl::string_view name, std::string& text);
  void operator()(absl::string_view name, int& number);
  void operator()(absl::string_view name, int64_t& number);
  void operator()(absl::string_view name, std::vector<int>& list);
  void operator()(absl::string_view name, LayerKind& kind) {
    ReadEnum(name, kind);
  }
  void operator()(absl::string_view name, Lane& lane) { ReadEnum(name, lane); }
  void operator()(absl::string_view name, Place& place) {
    ReadEnum(name, place);
  }

  // kInvalidArgument for a value that is none of its field, and for a field
  // that nobody asked for.
  absl::Status Finish() const;

 private:
  struct Field {
    std::string name;
    std::string value;  // without quotes and escapes
    bool is_text = false;
    bool is_read = false;
  };

  absl::Status Take(absl::string_view& rest);
  // Of that name and form; null: there is none, or there was an error.
  const Field* Find(absl::string_view name, bool is_text);
  template <typename Number>
  void ReadNumber(absl::string_view name, Number& number);
  template <typename Enum>
  void ReadEnum(absl::string_view name, Enum& value) {
    const int index = IndexOf(name, NamesOf(value));
    if (index >= 0) value = static_cast<Enum>(index);
  }
  int IndexOf(absl::string_view name,
              absl::Span<const absl::string_view> names);

  std::vector<Field> fields_;
  std::vector<std::string> known_;
  absl::Status status_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_TEXT_FIELDS_H_
