#include "dovetail/backends/vpu/vpu_properties.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/vpu/custom/custom_layers.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

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
    "MYRIAD_DUMP_ALL_PASSES",
    "MYRIAD_DUMP_INTERNAL_GRAPH_DIRECTORY",
    "MYRIAD_DUMP_INTERNAL_GRAPH_FILE_NAME",
    "MYRIAD_ENABLE_HW_ACCELERATION",
    "MYRIAD_ENABLE_FORCE_RESET",
    "MYRIAD_ENABLE_RECEIVING_TENSOR_TIME",
    "MYRIAD_HW_DILATION",
    "MYRIAD_HW_EXTRA_SPLIT",
    "MYRIAD_HW_WHITE_LIST",
    "MYRIAD_IGNORE_UNKNOWN_LAYERS",
    "MYRIAD_NONE_LAYERS",
    "MYRIAD_POWER_MANAGEMENT",
    "MYRIAD_PROTOCOL",
    "MYRIAD_TENSOR_STRIDES",
};

// What the plugin gave each of several streams: a part of the 19 slices that it
// had, and of the 16 SHAVEs those that work in none of the slices given.
void ShareOut(double streams, Machine& machine) {
  constexpr double kSlices = 19, kCores = 16;
  machine.executors = streams;
  machine.cmx_slices = std::floor(kSlices / streams);
  const double beyond = std::max(0.0, machine.cmx_slices * streams - kCores);
  machine.shaves = std::floor((kCores - beyond) / streams);
}

struct Switch {
  absl::string_view key, description;
  double Machine::*flag;
};

constexpr Switch kSwitches[] = {
    {kMergePools, "Whether engines pool what they convolve in one stage.",
     &Machine::merge_pools},
    {kPackInputs, "Whether inputs of engines are put into CMX where they fit.",
     &Machine::pack_inputs},
    {kSpareCopies, "Whether engines write to where a copy would put it.",
     &Machine::spare_copies},
    {kInjectWork, "Whether SHAVEs and DMA work beside engines.",
     &Machine::inject_work},
};

// The compiler's bound for a number of slices: half of them and 64 KB more.
double TilingLimit(const Machine& machine) {
  return std::floor(machine.cmx_slices / 2) * machine.cmx_slice_bytes + 65536;
}

absl::Status AddMachineKeys(PropertySchema& schema) {
  DOVETAIL_RETURN_IF_ERROR(
      schema.Add(AutoOrNumber(kCmxSlices, 1, 1024,
                              "Slices of CMX for one inference; AUTO: the "
                              "description's.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      AutoOrNumber(kTilingLimit, 1, 1 << 20,
                   "KB of CMX that the output of a tile may take; it can only "
                   "lower what the slices give.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(AutoOrNumber(
      kShaves, 1, 1024, "SHAVEs of one inference; AUTO: the description's.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(AutoOrNumber(
      kStreams, 1, 3,
      "Inferences at once, which share slices and SHAVEs; AUTO: the "
      "description's.")));
  for (const Switch& one : kSwitches) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(
        EnumProperty(one.key, {"AUTO", "YES", "NO"}, "AUTO", one.description)));
  }
  return absl::OkStatus();
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
  DOVETAIL_RETURN_IF_ERROR(schema.Add(EnumProperty(
      kAccumulation, {"ENGINE", "F32", "F16"}, "ENGINE",
      "How products are added up: in f32 and, of tiles of input channels, in "
      "f16, as the engine and the SHAVEs behind it do; all in f32; or each "
      "product and sum rounded to f16.")));
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      TextProperty(kBlackList, "",
                   "Names of layers, with commas between them, that SHAVEs are "
                   "to compute where an engine would.")));
  DOVETAIL_RETURN_IF_ERROR(AddMachineKeys(schema));
  if (!schema.Has(properties::kDeviceThermal)) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(ReadOnlyProperty(
        properties::kDeviceThermal, "degrees Celsius",
        "The description's ambient temperature: nothing here gets warm.")));
  }
  DOVETAIL_RETURN_IF_ERROR(schema.Add(
      IntProperty(kWatchdog, 60000, 0, 86400000,
                  "Milliseconds that a custom kernel may run before it is "
                  "given up; 0: for ever.")));
  for (PropertySpec& spec : CustomLayerProperties()) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  for (const absl::string_view name : kWithoutMeaning) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(TextProperty(
        name, "", "Of the stick's plugin; taken, and changes nothing here.")));
  }
  return absl::OkStatus();
}

BlackList BlackListOf(const Config& config) {
  return absl::StrSplit(config.GetString(kBlackList), ',', absl::SkipEmpty());
}

absl::StatusOr<Machine> MachineOf(const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(Machine machine, DefaultMachine());
  const std::string path = config.GetString(kMachineFile);
  if (!path.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(machine, ReadMachine(path));
  }
  double number = 0;
  if (absl::SimpleAtod(config.GetString(kStreams), &number)) {
    ShareOut(number, machine);
    machine.tiling_limit_bytes = TilingLimit(machine);
  }
  if (absl::SimpleAtod(config.GetString(kCmxSlices), &number)) {
    machine.cmx_slices = number;
    machine.tiling_limit_bytes = TilingLimit(machine);
  }
  if (absl::SimpleAtod(config.GetString(kShaves), &number)) {
    machine.shaves = number;
  }
  for (const Switch& one : kSwitches) {
    const std::string value = config.GetString(one.key);
    if (value != "AUTO") machine.*one.flag = value == "YES" ? 1 : 0;
  }
  if (absl::SimpleAtod(config.GetString(kTilingLimit), &number)) {
    machine.tiling_limit_bytes =
        std::min(machine.tiling_limit_bytes, number * 1024);
  }
  return machine;
}

}  // namespace dovetail::vpu
