#include "dovetail/backends/cpu/isa/machine_model.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "dovetail/backends/cpu/isa/measure_memory.h"
#include "dovetail/backends/cpu/isa/measure_products.h"
#include "dovetail/backends/cpu/isa/measure_team.h"

namespace dovetail::cpu {
namespace {

MachineModel Measure() {
  MachineModel machine;
  MeasureProducts(machine);
  MeasureMemory(machine);
  machine.wake_ns = MeasureWakeNs();
  return machine;
}

}  // namespace

double MachineModel::ReadNs(double bytes) const {
  for (const Cache& cache : {l1, l2, l3}) {
    if (2 * bytes <= static_cast<double>(cache.bytes)) {
      return bytes / cache.bytes_a_ns;
    }
  }
  return bytes / memory_bytes_a_ns;
}

const MachineModel& ThisMachine() {
  static const MachineModel& machine = *new MachineModel(Measure());
  return machine;
}

std::string DescribeMachine(const MachineModel& machine) {
  return absl::StrFormat(
      "products a ns: f32 %.1f by 8 lanes, %.1f by 16, bf16 %.1f, int8 %.1f; "
      "bytes a ns: L1 (%d KiB) %.1f, L2 (%d KiB) %.1f, L3 (%d KiB) %.1f, "
      "memory %.1f, by rows %.1f, asked for %.1f; a helper %.0f ns",
      machine.f32_8, machine.f32_16, machine.bf16, machine.int8,
      machine.l1.bytes >> 10, machine.l1.bytes_a_ns, machine.l2.bytes >> 10,
      machine.l2.bytes_a_ns, machine.l3.bytes >> 10, machine.l3.bytes_a_ns,
      machine.memory_bytes_a_ns, machine.rows_bytes_a_ns,
      machine.asked_rows_bytes_a_ns, machine.wake_ns);
}

}  // namespace dovetail::cpu
