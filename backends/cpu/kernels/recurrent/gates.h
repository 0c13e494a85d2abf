// From the sums of recurrent cells to their next states.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_GATES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_GATES_H_

#include <cstdint>

namespace dovetail::cpu {

// Some units of a cell. What there are several of, one for each gate, lies
// `width` apart: sums of gate g are x[g * width + unit]. `width` is a multiple
// of the lanes of a vector, and all units are computed. The functions are
// sigmoid and, for what becomes the state, tanh.
struct GateArguments {
  int64_t width = 0;
  const float* x = nullptr;     // what the data give
  const float* h = nullptr;     // what the state before gives
  const float* bias = nullptr;  // as in the operation
  const float* before = nullptr;
  float* state = nullptr;  // H after the step
  float* cell = nullptr;   // C of an LSTM, before and then after the step
};

// Gates f, i, c, o.
void LstmGates(const GateArguments& arguments);
// Gates z, r, h; the fourth bias is of h's part that the state gives.
void GruLinearGates(const GateArguments& arguments);
// tanh of the sum.
void RnnGates(const GateArguments& arguments);

// A GRU whose third sum takes the state that has been reset: first, from two
// sums, z and reset * before; then, with h[2 * width + …], the state.
void GruResetGates(const GateArguments& arguments, float* z, float* reset);
void GruFinalGates(const GateArguments& arguments, const float* z);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_GATES_H_
