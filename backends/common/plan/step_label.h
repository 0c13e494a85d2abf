// The label of a step in profiles.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_

#include <string>

namespace dovetail {

// The layer that something stands for, and what runs it ("onednn_jit:avx2",
// "fused_elementwise", "reference_f32").
struct StepLabel {
  std::string name, type, kernel;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
