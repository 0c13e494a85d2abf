// The settings that a plan is compiled for.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_

#include <vector>

#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/backends/cpu/compiler/kernel_choices.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

struct CompileSettings {
  // Of the team that will run the plan; primitives divide their work by it.
  int threads = 1;
  // What convolutions and matrix multiplications multiply: f32, or bf16 on
  // processors that have it (sums are f32). Other floating-point work is f32.
  ElementType compute_type = ElementType::kF32;
  // Whether activations may be rounded to integers of at least 16 bits to be
  // multiplied with weights that are integers.
  bool rounds_activations = false;
  // Of so many elements each, activations are quantized to bytes to multiply
  // them with weights that are compressed integers, where the machine has dot
  // products of bytes; 0: they are not.
  int64_t quantization_group = 0;
  // What choices between kernels go by; null: what this machine was measured to
  // do. Outlives the plan builder.
  const MachineModel* machine = nullptr;
  // What trials have chosen; null: nothing. Outlives the plan builder.
  const KernelChoices* choices = nullptr;
  // Gets the kernels that nodes could have; null: nobody asks.
  std::vector<OfferedKernels>* offered = nullptr;
  // For operations with bodies; null: reference kernels run these.
  CompileBodyFn compile_body;
  bool print_plan = false;  // see properties::kPrintPlan

  const MachineModel& machine_model() const {
    return machine != nullptr ? *machine : ThisMachine();
  }
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_
