#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// "fit": what //bench/vpu:fit prints for the layer times of ResNet-50 and
// Inception v1 on a stick of the second generation; docs/vpu_model.md has the
// derivations.
absl::string_view MyriadXText() {
  return R"(# Myriad X, one executor of two.
clock_mhz = 700 MHz                      # vendor's figure
macs_per_cycle = 256 MAC/cycle           # input by output channels of each mode
shaves = 7 cores                         # 16 less those of slices beyond, by two
shaves_beside_hw = 2 cores               # the plugin's rule for CanBeLimited
shave_operation_cycles = 1 cycles        # an assumption: no measurement
cmx_slices = 9 slices                    # 19 usable, two executors
cmx_slice_bytes = 131072 bytes           # vendor's figure
tiling_limit_bytes = 589824 bytes        # half the slices and 64 KB more
line_buffer_bytes = 131072 bytes         # the compiler's limit of lines
padded_pool_bytes = 4096 bytes           # the compiler's limit of padded planes
coefficient_steps = 256 steps            # the compiler's limit of coefficients
step_cycles_per_pixel = 1.04 cycles      # fit: convolutions bound by computing
step_weight_cycles = 35.7 cycles         # fit: convolutions of few pixels
drain_scale = 1.46 ratio                 # fit: over the mode's overhead
pixel_cycles = 11.5 cycles               # fit: convolutions in one descriptor
hw_stage_cycles = 2610 cycles            # fit: 3.7 us, the least stage has 4
output_row_cycles = 5.12 cycles          # fit: convolutions bound by output
output_pixel_cycles = 0.573 cycles       # fit: the same
burst_ns = 17.5 ns                       # fit: convolutions that read DDR, copies
burst_byte_ns = 0.15 ns/byte             # fit: the same; 6.7 GB/s
pool_pixel_cycles = 5.86 cycles          # fit: max pools of stride 1
pool_mean_cycles = 11.6 cycles           # mean pool 3x3 of 8x8 (not of the fit)
pool_input_byte_ns = 0.264 ns/byte       # fit: pools of stride 2; 3.8 GB/s
copy_stage_cycles = 15400 cycles         # least copies: 22 us
binary_stage_cycles = 12600 cycles       # fit: sums
binary_element_cycles = 1.84 cycles      # fit: sums by 1 and 2 SHAVEs, of each
unary_stage_cycles = 7460 cycles         # fit: ReLU stages
unary_element_cycles = 1.08 cycles       # fit: ReLU stages into CMX, of a SHAVE
unary_ddr_element_cycles = 0.565 cycles  # fit: what those into DDR take more
shave_ddr_byte_ns = 0.134 ns/byte        # fit: sums by 7 SHAVEs; 7.5 GB/s
convert_stage_cycles = 51100 cycles      # input of a tiny network: 73 us
convert_element_cycles = 0.308 cycles    # input of 3x224x224: 138 us
executors = 2 inferences                 # the plugin's default
ddr_streams = 1 streams                  # who comes later waits
host_us = 1306 us                        # tiny network: 1.62 ms, 0.314 in it
link_byte_ns = 7 ns/byte                 # two requests of 3x416x416
merge_pools = 1 flag                     # the compiler's default
pack_inputs = 1 flag                     # the compiler's default
spare_copies = 1 flag                    # the compiler's default
inject_work = 1 flag                     # the compiler's default
power_w = 1.5 W                          # vendor's figure for the chip, not measured
ambient_celsius = 25 C                   # a room; nothing here heats the chip
)";
}

}  // namespace dovetail::vpu
