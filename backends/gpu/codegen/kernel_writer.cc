#include "dovetail/backends/gpu/codegen/kernel_writer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/codegen/group_text.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {

void KernelWriter::Buffer(absl::string_view name, absl::string_view type,
                          absl::string_view access) {
  arguments_.push_back(absl::StrCat("__global ", access, type, "* ", name,
                                    "_base, const int ", name, "_at"));
  buffer_types_.push_back(absl::StrCat(access, type));
  absl::StrAppend(&pointers_, "  __global ", access, type, "* const ", name,
                  " = ", name, "_base + ", name, "_at;\n");
}

void KernelWriter::Input(absl::string_view name, absl::string_view type) {
  Buffer(name, type, "const ");
}

void KernelWriter::Output(absl::string_view name, absl::string_view type) {
  Buffer(name, type, "");
}

void KernelWriter::Faults() {
  Buffer("faults", "int", "");
  Helper(R"(
void report_fault(__global int* faults, long index, int extent) {
  faults[1] = convert_int_sat(index);
  faults[2] = extent;
  faults[0] = 1;
}
)");
  reports_faults_ = true;
}

void KernelWriter::Int(absl::string_view name) {
  numbers_.push_back({false, std::string(name)});
}

void KernelWriter::Float(absl::string_view name) {
  numbers_.push_back({true, std::string(name)});
}

// As arguments, and as statements that take vectors of them apart.
std::string KernelWriter::AddNumbers(
    std::vector<std::string>& arguments) const {
  std::string text;
  for (size_t i = 0; i < numbers_.size(); ++i) {
    const auto& [is_float, name] = numbers_[i];
    const size_t vector = i / kNumbersTogether;
    if (i % kNumbersTogether == 0) {
      arguments.push_back(absl::StrCat("const int16 numbers", vector));
    }
    const std::string lane =
        absl::StrCat("numbers", vector, ".s", absl::Hex(i % kNumbersTogether));
    absl::StrAppend(&text, is_float ? "  const float " : "  const int ", name,
                    is_float ? " = as_float(" : " = (", lane, ");\n");
  }
  return text;
}

void KernelWriter::Group(int x, int y, int z) {
  if (x == 1 && y == 1 && z == 1) {
    Helper(kGroupOfOne);
    attributes_ = "GROUP_OF_ONE ";
    return;
  }
  attributes_ = absl::StrCat("__attribute__((reqd_work_group_size(", x, ", ", y,
                             ", ", z, ")))\n");
}

void KernelWriter::Helper(absl::string_view text) {
  helpers_.emplace_back(text);
}

void KernelWriter::Body(absl::string_view text) {
  absl::StrAppend(&body_, text);
}

KernelSource KernelWriter::Source() const {
  KernelSource source;
  source.helpers = helpers_;
  std::vector<std::string> arguments = arguments_;
  const std::string numbers = AddNumbers(arguments);
  source.text =
      absl::StrCat("__kernel ", attributes_, "void KERNEL_NAME(\n    ",
                   absl::StrJoin(arguments, ",\n    "), ") {\n", pointers_,
                   numbers, body_, "}\n");
  source.buffer_types = buffer_types_;
  source.reports_faults = reports_faults_;
  const auto numbers_count = static_cast<int64_t>(numbers_.size());
  source.number_vectors =
      static_cast<int>(CeilDivide(numbers_count, kNumbersTogether));
  return source;
}

}  // namespace dovetail::gpu
