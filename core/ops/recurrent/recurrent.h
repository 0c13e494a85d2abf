// RNNCell, GRUCell, LSTMCell and their sequences. B batch, T time, I input
// size, S hidden_size, D directions, G gates (1, 3, 4):
//
//   cells:     X [B, I], H [B, S], C [B, S], W [G*S, I], R [G*S, S], B [G*S],
//              P [3*S]
//   sequences: X [B, T, I], H [B, D, S], C [B, D, S], lengths [B],
//              W [D, G*S, I], R [D, G*S, S], B [D, G*S], P [D, 3*S]
//
// C is of LSTMs; B may be left out of cells; P, the peepholes for the gates i,
// o and f, is of LSTMs before version 4. The B of a GRU with
// linear_before_reset has 4*S: the new gate's is in two parts, for W and R.
#ifndef DOVETAIL_CORE_OPS_RECURRENT_RECURRENT_H_
#define DOVETAIL_CORE_OPS_RECURRENT_RECURRENT_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// What kind of recurrence a node is and where its inputs are; -1: not there.
struct RecurrentLayout {
  int gates = 1;
  bool is_sequence = false;
  bool is_lstm = false;
  // Inputs.
  int data = 0, hidden = 1, cell = -1, lengths = -1;
  int weights = -1, recurrence = -1, bias = -1, peepholes = -1;
  // How many blocks of S the bias has.
  int bias_blocks = 1;
};

// For a node with attributes of attributes.h and that many inputs.
RecurrentLayout LayoutOf(const Node& node, int input_count);

// -> H [B, S] or, for sequences, Y [B, D, T, S], H [B, D, S]; LSTMs: C like H.
absl::Status InferRecurrent(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_RECURRENT_RECURRENT_H_
