#include "dovetail/backends/vpu/machine/machine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/nearest.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"

namespace dovetail::vpu {
namespace {

// A value of the description. Those from least 1 on divide others, or are
// counts.
struct Field {
  absl::string_view key;
  absl::string_view unit;
  double Machine::*value;
  double min;
  double max;
};

constexpr double kMost = 1e9;
constexpr size_t kShown = 60;  // bytes of what may be no text

constexpr Field kFields[] = {
    {"clock_mhz", "MHz", &Machine::clock_mhz, 1, 1e5},
    {"macs_per_cycle", "MAC/cycle", &Machine::macs_per_cycle, 1, 1e6},
    {"shaves", "cores", &Machine::shaves, 1, 1024},
    {"shaves_beside_hw", "cores", &Machine::shaves_beside_hw, 1, 1024},
    {"shave_operation_cycles", "cycles", &Machine::shave_operation_cycles, 1e-6,
     kMost},
    {"cmx_slices", "slices", &Machine::cmx_slices, 1, 1024},
    {"cmx_slice_bytes", "bytes", &Machine::cmx_slice_bytes, 1024, kMost},
    {"tiling_limit_bytes", "bytes", &Machine::tiling_limit_bytes, 1024, kMost},
    {"line_buffer_bytes", "bytes", &Machine::line_buffer_bytes, 1024, kMost},
    {"padded_pool_bytes", "bytes", &Machine::padded_pool_bytes, 0, kMost},
    {"coefficient_steps", "steps", &Machine::coefficient_steps, 1, 1e6},
    {"step_cycles_per_pixel", "cycles", &Machine::step_cycles_per_pixel, 1e-6,
     kMost},
    {"step_weight_cycles", "cycles", &Machine::step_weight_cycles, 0, kMost},
    {"drain_scale", "ratio", &Machine::drain_scale, 0, kMost},
    {"pixel_cycles", "cycles", &Machine::pixel_cycles, 0, kMost},
    {"hw_stage_cycles", "cycles", &Machine::hw_stage_cycles, 0, kMost},
    {"output_row_cycles", "cycles", &Machine::output_row_cycles, 0, kMost},
    {"output_pixel_cycles", "cycles", &Machine::output_pixel_cycles, 0, kMost},
    {"burst_ns", "ns", &Machine::burst_ns, 0, kMost},
    {"burst_byte_ns", "ns/byte", &Machine::burst_byte_ns, 0, kMost},
    {"pool_pixel_cycles", "cycles", &Machine::pool_pixel_cycles, 0, kMost},
    {"pool_mean_cycles", "cycles", &Machine::pool_mean_cycles, 0, kMost},
    {"pool_input_byte_ns", "ns/byte", &Machine::pool_input_byte_ns, 0, kMost},
    {"copy_stage_cycles", "cycles", &Machine::copy_stage_cycles, 0, kMost},
    {"binary_stage_cycles", "cycles", &Machine::binary_stage_cycles, 0, kMost},
    {"binary_element_cycles", "cycles", &Machine::binary_element_cycles, 0,
     kMost},
    {"unary_stage_cycles", "cycles", &Machine::unary_stage_cycles, 0, kMost},
    {"unary_element_cycles", "cycles", &Machine::unary_element_cycles, 0,
     kMost},
    {"unary_ddr_element_cycles", "cycles", &Machine::unary_ddr_element_cycles,
     0, kMost},
    {"shave_ddr_byte_ns", "ns/byte", &Machine::shave_ddr_byte_ns, 0, kMost},
    {"convert_stage_cycles", "cycles", &Machine::convert_stage_cycles, 0,
     kMost},
    {"convert_element_cycles", "cycles", &Machine::convert_element_cycles, 0,
     kMost},
    {"executors", "inferences", &Machine::executors, 1, 1024},
    {"ddr_streams", "streams", &Machine::ddr_streams, 1e-3, 1024},
    {"host_us", "us", &Machine::host_us, 0, kMost},
    {"link_byte_ns", "ns/byte", &Machine::link_byte_ns, 0, kMost},
    {"merge_pools", "flag", &Machine::merge_pools, 0, 1},
    {"pack_inputs", "flag", &Machine::pack_inputs, 0, 1},
    {"spare_copies", "flag", &Machine::spare_copies, 0, 1},
    {"inject_work", "flag", &Machine::inject_work, 0, 1},
    {"power_w", "W", &Machine::power_w, 0, kMost},
    {"ambient_celsius", "C", &Machine::ambient_celsius, -273, 1000},
};

absl::StatusOr<const Field*> FindField(absl::string_view key) {
  for (const Field& field : kFields) {
    if (field.key == key) return &field;
  }
  const std::string nearest = Nearest(key, MachineKeys());
  return InvalidArgument(
      "a machine has no '", absl::CHexEscape(key.substr(0, kShown)), "'",
      nearest.empty() ? "" : absl::StrCat("; did you mean '", nearest, "'?"));
}

// Whether there are only whole ones of the unit.
bool IsCount(absl::string_view unit) {
  constexpr absl::string_view kCounts[] = {"cores", "slices",     "bytes",
                                           "steps", "inferences", "flag"};
  return std::find(std::begin(kCounts), std::end(kCounts), unit) !=
         std::end(kCounts);
}

absl::Status SetField(const Field& field, absl::string_view text,
                      Machine& machine) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value)) {
    return InvalidArgument("'", field.key, "' needs a number in ", field.unit,
                           ", not '", text, "'");
  }
  if (value < field.min || value > field.max) {
    return InvalidArgument("'", field.key, "' is ", value, ", but must be in ",
                           field.min, " … ", field.max, " ", field.unit);
  }
  if (IsCount(field.unit) && value != std::floor(value)) {
    return InvalidArgument("'", field.key, "' is ", value,
                           ", but must be a whole number of ", field.unit);
  }
  machine.*field.value = value;
  return absl::OkStatus();
}

// The fewest digits that are read as the same number.
std::string Shortest(double value) {
  std::array<char, 32> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return std::string(digits.data(), end.ptr);
}

// One line without its comment; sets `key`.
absl::Status ReadLine(absl::string_view line, Machine& machine,
                      std::string& key) {
  const std::vector<absl::string_view> halves =
      absl::StrSplit(line, absl::MaxSplits('=', 1));
  if (halves.size() != 2) {
    return InvalidArgument("'", absl::CHexEscape(line.substr(0, kShown)),
                           "' is not 'key = value unit'");
  }
  key = std::string(absl::StripAsciiWhitespace(halves[0]));
  DOVETAIL_ASSIGN_OR_RETURN(const Field* const field, FindField(key));
  const std::vector<absl::string_view> words =
      absl::StrSplit(halves[1], absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (words.size() != 2 || words[1] != field->unit) {
    return InvalidArgument("'", key, "' needs a number and its unit, ",
                           field->unit, ", not '",
                           absl::StripAsciiWhitespace(halves[1]), "'");
  }
  return SetField(*field, words[0], machine);
}

absl::StatusOr<Machine> ParseOnto(Machine machine, absl::string_view text,
                                  absl::string_view name) {
  std::set<std::string> seen;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    std::string key;
    absl::Status status = ReadLine(line, machine, key);
    if (status.ok() && !seen.insert(key).second) {
      status = InvalidArgument("'", key, "' is given twice");
    }
    if (!status.ok()) {
      return InvalidArgument(name, ", line ", number, ": ", status.message());
    }
  }
  return machine;
}

}  // namespace

absl::StatusOr<Machine> DefaultMachine() {
  return ParseOnto(Machine(), MyriadXText(), "the Myriad X");
}

absl::StatusOr<Machine> ParseMachine(absl::string_view text,
                                     absl::string_view name) {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine base, DefaultMachine());
  return ParseOnto(base, text, name);
}

absl::StatusOr<Machine> ReadMachine(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Read(path));
  return ParseMachine({static_cast<const char*>(file->data()), file->size()},
                      path);
}

absl::Status SetMachineValue(absl::string_view key, absl::string_view value,
                             Machine& machine) {
  DOVETAIL_ASSIGN_OR_RETURN(const Field* const field, FindField(key));
  return SetField(*field, value, machine);
}

absl::StatusOr<double> MachineValue(const Machine& machine,
                                    absl::string_view key) {
  DOVETAIL_ASSIGN_OR_RETURN(const Field* const field, FindField(key));
  return machine.*field->value;
}

std::string MachineText(const Machine& machine) {
  std::string text;
  for (const Field& field : kFields) {
    absl::StrAppend(&text, field.key, " = ", Shortest(machine.*field.value),
                    " ", field.unit, "\n");
  }
  return text;
}

std::string MachineDifference(const Machine& machine, const Machine& other) {
  std::vector<std::string> all;
  for (const Field& field : kFields) {
    if (machine.*field.value == other.*field.value) continue;
    all.push_back(absl::StrCat(field.key, " is ", machine.*field.value,
                               ", not ", other.*field.value, " ", field.unit));
  }
  return absl::StrJoin(all, "; ");
}

std::vector<std::string> MachineKeys() {
  std::vector<std::string> keys;
  for (const Field& field : kFields) keys.emplace_back(field.key);
  return keys;
}

}  // namespace dovetail::vpu
