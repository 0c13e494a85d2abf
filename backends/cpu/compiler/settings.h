// The settings that a plan is compiled for.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_

#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

struct CompileSettings {
  // Of the team that will run the plan; primitives divide their work by it.
  int threads = 1;
  // What convolutions and matrix multiplications multiply: f32, or bf16 on
  // processors that have it (sums are f32). Other floating-point work is f32.
  ElementType compute_type = ElementType::kF32;
  // For operations with bodies; null: reference kernels run these.
  CompileBodyFn compile_body;
  bool print_plan = false;  // see properties::kPrintPlan
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_SETTINGS_H_
