// The texts of the kernels of recurrent operations.
//
// Units of the state are in blocks of as many as a vector has lanes, the last
// one with zeros. Weights and sums are [direction, block, depth, gate, lane].
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_KERNELS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_KERNELS_H_

#include <string>
#include <vector>

#include "dovetail/core/ops/recurrent/activation.h"

namespace dovetail::gpu {

enum class CellKind { kRnn, kLstm, kGru, kGruLinear };

struct RecurrentText {
  CellKind kind = CellKind::kRnn;
  int gates = 1;
  int lanes = 16;
  int rows = 1;  // of the data in a work item
  std::vector<CellActivation> activations;
  bool has_clip = false;
  bool has_lengths = false;
  bool has_steps = true;  // writes y: of a sequence
};

// sums [rows of the data, direction, block, gate, lane] = x * w + b. Its range:
// blocks of rows; blocks of all directions. Its buffers: x, w, b, sums; its
// ints: rows, depth, items (blocks of all directions).
std::string DataProductsBody(const RecurrentText& text);

// All steps. Its range: batches, directions: a work item needs no other's
// state, and none waits. Its buffers: sums, r, h0, c0 (LSTM), b2 (GRU with
// linear_before_reset: the new gate's bias of the state), lengths; y (of a
// sequence), h, c (LSTM); state, of scratch. Its numbers: time,
// size, blocks, directions, reverse, clip.
std::string StepsBody(const RecurrentText& text);

// Vectors of scratch that a work item needs for each block.
inline constexpr int kStateVectors = 5;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_KERNELS_H_
