#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// "fit": least squares on the layer times of ResNet-50 and Inception v1 on a
// stick of the second generation; docs/vpu_model.md has the derivations.
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
step_cycles_per_pixel = 1.048 cycles     # fit: convolutions in one tile
step_weight_cycles = 35.4 cycles         # fit: convolutions of 7x7 and 1x1 pixels
drain_scale = 1.5 ratio                  # fit: over the mode's overhead
pixel_cycles = 12 cycles                 # fit: convolutions in one descriptor
hw_stage_cycles = 2425 cycles            # fit: 3.5 us, the least stage has 4
output_row_cycles = 5.3 cycles           # 64 to 256 at 28x28, 128 to 512 at 14x14
output_pixel_cycles = 0.564 cycles       # the same two
burst_ns = 20 ns                         # 480 to 16 and 1024 to 256 at 14x14
burst_byte_ns = 0.1825 ns/byte           # the same two: 5.5 GB/s
pool_pixel_cycles = 6 cycles             # max pools 3x3 of 28x28 and 14x14
pool_mean_cycles = 11.6 cycles           # mean pool 3x3 of 8x8 (not of the fit)
pool_input_byte_ns = 0.235 ns/byte       # pools of stride 2: 4.3 GB/s
copy_stage_cycles = 15400 cycles         # least copies: 22 us
binary_stage_cycles = 18900 cycles       # least sums: 27 us
binary_element_cycles = 1.68 cycles      # fit: sums by 1 and 2 SHAVEs, of each
unary_stage_cycles = 10500 cycles        # fit: ReLU stages
unary_element_cycles = 1.05 cycles       # fit: ReLU stages into CMX, of a SHAVE
unary_ddr_element_cycles = 0.56 cycles   # fit: what those into DDR take more
shave_ddr_byte_ns = 0.135 ns/byte        # sums by 7 SHAVEs: 7.4 GB/s
convert_stage_cycles = 51100 cycles      # input of a tiny network: 73 us
convert_element_cycles = 0.308 cycles    # input of 3x224x224: 138 us
executors = 2 inferences                 # the plugin's default
ddr_streams = 1.68 streams               # weights stream at 9.2 GB/s, DMA at 5.48
host_us = 1306 us                        # tiny network: 1.62 ms, 0.314 in it
link_byte_ns = 23 ns/byte                # two requests of 3x448x448
pack_inputs = 1 flag                     # the compiler's default
spare_copies = 1 flag                    # the compiler's default
inject_work = 1 flag                     # the compiler's default
power_w = 1.5 W                          # vendor's figure for the chip, not measured
ambient_celsius = 25 C                   # a room; nothing here heats the chip
)";
}

}  // namespace dovetail::vpu
