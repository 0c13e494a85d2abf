// A step that computes attention.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_STEP_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/kernels/attention/attention.h"

namespace dovetail::cpu {

struct AttentionStepOptions {
  // Sizes, strides and flags; no pointers.
  AttentionProblem problem;
  bool has_mask = false, mask_is_boolean = false;
  bool has_scale = false, has_sink = false;
  // Whether narrow_attention.h computes it, and stores bf16 then.
  bool is_narrow = false, stores_narrow = false;
  // Where each matrix begins, in elements.
  std::vector<int64_t> q, k, v, out, mask, sink;
  int threads = 1;
};

int64_t AttentionScratchBytes(const AttentionStepOptions& options);

// Inputs: query, key, value, mask, scale, sink; the last three may be null.
std::unique_ptr<Step> MakeAttentionStep(AttentionStepOptions options);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_STEP_H_
