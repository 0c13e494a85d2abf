// Keys of the VPU, by the names that they had in the MYRIAD plugin.
#ifndef DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_
#define DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
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

// Adds those, and keys that are taken and mean nothing here.
absl::Status AddVpuProperties(PropertySchema& schema);

// The processor that a configuration asks for. kNotFound for a file that cannot
// be read; errors of ParseMachine.
absl::StatusOr<Machine> MachineOf(const Config& config);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_VPU_PROPERTIES_H_
