// The arithmetic of one step of one batch of a recurrent cell, once the
// products with W and R are there.
#ifndef DOVETAIL_CORE_REFERENCE_RECURRENT_STEP_H_
#define DOVETAIL_CORE_REFERENCE_RECURRENT_STEP_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/recurrent/activation.h"
#include "dovetail/core/ops/recurrent/attributes.h"

namespace dovetail {

// What does not change from step to step.
struct CellRules {
  const CellAttributes* attributes;
  std::vector<CellActivation> activations;
  int64_t size;  // hidden_size
};

// Pointers to what one batch has in one step. `x` and `h` are the products of
// the data and of the state, gate after gate.
template <typename T>
struct StepData {
  const T* x;
  const T* h;
  const T* bias;       // null: none
  const T* peepholes;  // null: none
  T* state;            // H: before, then after the step
  T* cell;             // C, of LSTMs
};

template <typename T>
void RnnStep(const CellRules& rules, const StepData<T>& data);

template <typename T>
void LstmStep(const CellRules& rules, const StepData<T>& data);

// Update and reset gate: z, and what the new gate's part of R is multiplied by,
// reset * H.
template <typename T>
void GruGates(const CellRules& rules, const StepData<T>& data, T* z,
              T* reset_state);

// The rest of a GRU's step. `h_new` is the new gate's product of reset * H.
template <typename T>
void GruFinish(const CellRules& rules, const StepData<T>& data, const T* z,
               const T* h_new);

// A whole step of a GRU with linear_before_reset.
template <typename T>
void GruLinearStep(const CellRules& rules, const StepData<T>& data);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RECURRENT_STEP_H_
