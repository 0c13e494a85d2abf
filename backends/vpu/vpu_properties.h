// Keys of the VPU, by the names that they had in the MYRIAD plugin.
#ifndef DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_
#define DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"

namespace dovetail::vpu {

// A file with the description of the processor; empty: a Myriad X.
inline constexpr absl::string_view kMachineFile = "VPU_MACHINE";
// PER_LAYER or PER_STAGE: what a profile has a record for.
inline constexpr absl::string_view kPerfReportMode = "MYRIAD_PERF_REPORT_MODE";
// Slices of CMX that one inference may use; AUTO: the description's.
inline constexpr absl::string_view kCmxSlices = "MYRIAD_NUMBER_OF_CMX_SLICES";
// KB that a tile's output may take, at most the slices' own bound; AUTO: that.
inline constexpr absl::string_view kTilingLimit = "MYRIAD_TILING_CMX_LIMIT_KB";

// ENGINE, F32 or F16: how products of engines' layers are added up.
inline constexpr absl::string_view kAccumulation = "VPU_ACCUMULATION";

// Names of layers, with commas between them, that no engine computes.
inline constexpr absl::string_view kBlackList = "MYRIAD_HW_BLACK_LIST";

// Milliseconds that a custom kernel may run.
inline constexpr absl::string_view kWatchdog = "MYRIAD_WATCHDOG";

// Inferences that run at once, each on a part of the slices and SHAVEs; AUTO:
// the description's.
inline constexpr absl::string_view kStreams = "MYRIAD_THROUGHPUT_STREAMS";
// SHAVEs of one inference; AUTO: the description's.
inline constexpr absl::string_view kShaves = "MYRIAD_NUMBER_OF_SHAVES";
// YES or NO: passes of the compiler; AUTO: as the description says.
inline constexpr absl::string_view kMergePools = "MYRIAD_HW_POOL_CONV_MERGE";
inline constexpr absl::string_view kPackInputs = "MYRIAD_PACK_DATA_IN_CMX";
inline constexpr absl::string_view kSpareCopies = "MYRIAD_COPY_OPTIMIZATION";
inline constexpr absl::string_view kInjectWork = "MYRIAD_HW_INJECT_STAGES";

// The keys that say which processor, each with what says nothing.
inline constexpr std::pair<absl::string_view, absl::string_view>
    kMachineKeys[] = {{kMachineFile, ""},     {kCmxSlices, "AUTO"},
                      {kTilingLimit, "AUTO"}, {kStreams, "AUTO"},
                      {kShaves, "AUTO"},      {kMergePools, "AUTO"},
                      {kPackInputs, "AUTO"},  {kSpareCopies, "AUTO"},
                      {kInjectWork, "AUTO"}};

// Adds those, the keys of custom layers, and keys that are taken and mean
// nothing here.
absl::Status AddVpuProperties(PropertySchema& schema);

BlackList BlackListOf(const Config& config);

// The processor that a configuration asks for. kNotFound for a file that cannot
// be read; errors of ParseMachine.
absl::StatusOr<Machine> MachineOf(const Config& config);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_
