#include "dovetail/backends/vpu/vpu_properties.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// "AUTO" or a number.
PropertySpec AutoOrNumber(absl::string_view name, int64_t min, int64_t max,
                          absl::string_view description) {
  PropertySpec spec = TextProperty(name, "AUTO", description);
  spec.type = absl::StrCat("AUTO or a number from ", min, " to ", max);
  spec.check = [min,
                max](absl::string_view text) -> absl::StatusOr<std::string> {
    int64_t value = 0;
    if (text == "AUTO" || text == "-1") return "AUTO";
    if (absl::SimpleAtoi(text, &value) && value >= min && value <= max) {
      return absl::StrCat(value);
    }
    return InvalidArgument("want AUTO or a number from ", min, " to ", max);
  };
  return spec;
}

// What tuned the stick's compiler or its link, and has nothing to tune here.
constexpr absl::string_view kWithoutMeaning[] = {
    "MYRIAD_COPY_OPTIMIZATION",  "MYRIAD_ENABLE_HW_ACCELERATION",
    "MYRIAD_ENABLE_FORCE_RESET", "MYRIAD_ENABLE_RECEIVING_TENSOR_TIME",
    "MYRIAD_HW_INJECT_STAGES",   "MYRIAD_HW_POOL_CONV_MERGE",
    "MYRIAD_NUMBER_OF_SHAVES",   "MYRIAD_PACK_DATA_IN_CMX",
    "MYRIAD_POWER_MANAGEMENT",   "MYRIAD_PROTOCOL",
    "MYRIAD_THROUGHPUT_STREAMS", "MYRIAD_WATCHDOG",
};

// The compiler's bound for a number of slices: half of them and 64 KB more.
double TilingLimit(const Machine& machine) {
  return std::floor(machine.cmx_slices / 2) * machine.cmx_slice_bytes + 65536;
}

}  // namespace

absl::Status AddVpuProperties(PropertySchema& schema) {
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      TextProperty(kMachineFile, "",
                   "A file with the description of the processor; without it "
                   "a Myriad X.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      EnumProperty(kPerfReportMode, {"PER_LAYER", "PER_STAGE"}, "PER_LAYER",
                   "What a profile has a record for.")));
  DOVETAIL_RETURN_IF_ERROR(
      schema.Add(AutoOrNumber(kCmxSlices, 1, 1024,
                              "Slices of CMX for one inference; AUTO: the "
                              "description's.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      AutoOrNumber(kTilingLimit, 1, 1 << 20,
                   "KB of CMX that the output of a tile may take; it can only "
                   "lower what the slices give.")));
  for (const absl::string_view name : kWithoutMeaning) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(TextProperty(
        name, "", "Of the stick's plugin; taken, and changes nothing here.")));
  }
  return absl::OkStatus();
}

absl::StatusOr<Machine> MachineOf(const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(Machine machine, DefaultMachine());
  const std::string path = config.GetString(kMachineFile);
  if (!path.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(machine, ReadMachine(path));
  }
  double number = 0;
  if (absl::SimpleAtod(config.GetString(kCmxSlices), &number)) {
    machine.cmx_slices = number;
    machine.tiling_limit_bytes = TilingLimit(machine);
  }
  if (absl::SimpleAtod(config.GetString(kTilingLimit), &number)) {
    machine.tiling_limit_bytes =
        std::min(machine.tiling_limit_bytes, number * 1024);
  }
  return machine;
}

}  // namespace dovetail::vpu
