// A description of a vision processor: what the compiler's limits and the time
// model's terms are made of.
#ifndef DOVETAIL_BACKENDS_VPU_MACHINE_MACHINE_H_
#define DOVETAIL_BACKENDS_VPU_MACHINE_MACHINE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail::vpu {

// docs/vpu_model.md says what each term stands for and what it was measured
// on. Cycles are the neural engine's. A plain value.
struct Machine {
  double clock_mhz = 0;
  double macs_per_cycle = 0;    // of one engine, f16
  double shaves = 0;            // of one executor
  double shaves_beside_hw = 0;  // that a stage next to an engine's may use
  double shave_operation_cycles = 0;  // of a custom kernel, each on its SHAVE
  double cmx_slices = 0;        // of one executor
  double cmx_slice_bytes = 0;
  double tiling_limit_bytes = 0;  // what one tile's whole output may take
  double line_buffer_bytes = 0;   // of an engine
  double padded_pool_bytes = 0;   // that a padded plane of a pool may take
  double coefficient_steps = 0;   // that an engine holds
  double step_cycles_per_pixel = 0;
  double step_weight_cycles = 0;
  double drain_scale = 0;
  double pixel_cycles = 0;
  double hw_stage_cycles = 0;
  double output_row_cycles = 0;
  double output_pixel_cycles = 0;
  double burst_ns = 0;
  double burst_byte_ns = 0;
  double pool_pixel_cycles = 0;
  double pool_mean_cycles = 0;
  double pool_input_byte_ns = 0;
  double copy_stage_cycles = 0;
  double binary_stage_cycles = 0;
  double binary_element_cycles = 0;
  double unary_stage_cycles = 0;
  double unary_element_cycles = 0;
  double unary_ddr_element_cycles = 0;
  double shave_ddr_byte_ns = 0;
  double convert_stage_cycles = 0;
  double convert_element_cycles = 0;
  double executors = 0;    // inferences that run at once
  double ddr_streams = 0;  // of burst_byte_ns each, that DDR serves at once
  double host_us = 0;      // of one inference, with nothing to send
  double link_byte_ns = 0;
  // Of the compiler's passes that may be left out, 1 for those that run.
  double merge_pools = 0, pack_inputs = 0, spare_copies = 0, inject_work = 0;
  double power_w = 0;          // of the chip while it computes
  double ambient_celsius = 0;  // nothing here heats it

  double cmx_bytes() const { return cmx_slices * cmx_slice_bytes; }
  // Of so many cycles at the chip's power: not a measurement of any stage.
  double millijoules(double cycles) const {
    return microseconds(cycles) * power_w / 1000;
  }
  double microseconds(double cycles) const { return cycles / clock_mhz; }
  // What takes its time whatever the engine's clock.
  double cycles_of_ns(double ns) const { return ns * clock_mhz / 1000; }
};

// The text of the description of a Myriad X, from which others are made.
absl::string_view MyriadXText();

// Reads lines "key = value unit  # source"; keys that the text leaves out are a
// Myriad X's. kInvalidArgument, with `name` and the line, for a key that is
// unknown (with the nearest one) or given twice, for another unit than the
// key's, and for a value out of range.
absl::StatusOr<Machine> ParseMachine(absl::string_view text,
                                     absl::string_view name);
// The same of a file. Errors as of MappedFile::Read, too.
absl::StatusOr<Machine> ReadMachine(const std::string& path);
// A Myriad X.
absl::StatusOr<Machine> DefaultMachine();

// Changes one value, in the key's unit. Errors as in ParseMachine.
absl::Status SetMachineValue(absl::string_view key, absl::string_view value,
                             Machine& machine);

// One value, in the key's unit. kInvalidArgument for an unknown key.
absl::StatusOr<double> MachineValue(const Machine& machine,
                                    absl::string_view key);

// A description with every key, from which ParseMachine makes the same.
std::string MachineText(const Machine& machine);

// What differs, for messages: "clock_mhz is 900, not 700 MHz"; empty where
// nothing does.
std::string MachineDifference(const Machine& machine, const Machine& other);

// All keys, in the order of the description.
std::vector<std::string> MachineKeys();

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_MACHINE_MACHINE_H_
