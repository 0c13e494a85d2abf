// A step that runs recurrent cells and sequences.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_STEP_H_

#include <cstdint>
#include <memory>
#include <string>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/kernels/recurrent/narrow_product.h"

namespace dovetail::cpu {

enum class CellKind { kLstm, kGru, kGruLinear, kRnn };

// Units come in blocks as wide as a panel of packed weights; the panels of a
// block's gates follow each other, and padding units are computed too. The
// panels of packed W and R are [directions, blocks, gates], each in the form of
// its factor, of gemm.h or narrow_product.h; the bias is
// [directions, blocks, bias_blocks, panel].
struct RecurrentSizes {
  CellKind kind = CellKind::kLstm;
  int64_t gates = 4, bias_blocks = 4;
  int64_t directions = 1, batch = 1, time = 1, input = 1, size = 1;
  bool is_reverse = false;  // the only direction
  bool is_sequence = false;
  bool has_lengths = false, lengths_are_i64 = false;
  NarrowForm data_form = NarrowForm::kNone;   // of W
  NarrowForm state_form = NarrowForm::kNone;  // of R
  int threads = 1;
  std::string layer;  // for errors

  bool is_lstm() const { return kind == CellKind::kLstm; }
  int64_t blocks() const;
  // Columns of all panels of a direction.
  int64_t columns() const;
  int64_t padded_size() const;
  // Of a panel of W or R, whose form and depth these are.
  int64_t PanelBytes(NarrowForm form, int64_t depth) const;
};

int64_t RecurrentScratchBytes(const RecurrentSizes& sizes);

// Inputs: X, H, C or null, lengths or null, packed W, packed R, packed bias.
// Outputs: of sequences Y first; H; of LSTMs C.
std::unique_ptr<Step> MakeRecurrentStep(const RecurrentSizes& sizes);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_STEP_H_
