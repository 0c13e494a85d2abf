// The text of the kernel that computes attention.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_KERNEL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_KERNEL_H_

#include <cstdint>
#include <string>

#include "dovetail/backends/gpu/codegen/kernel_writer.h"

namespace dovetail::gpu {

enum class AttentionMask { kNone, kNumbers, kFlags };

// A work item has `rows` queries of a product, and goes over blocks of keys.
struct AttentionBlock {
  int lanes = 16, rows = 12;
  int keys = 512;  // of a block: their scores are private memory
  // Keys of a panel, or 0: keys are read as they lie, one after the other.
  int panel = 32;
  int vectors = 2;         // of a value's elements that are summed side by side
  bool is_ragged = false;  // a value's elements are not whole such vectors
  AttentionMask mask = AttentionMask::kNone;
  bool has_scale = false, has_sink = false;
};

// For so many queries, of `depth` elements, with values of `width`.
AttentionBlock ChooseAttentionBlock(int lanes, int64_t queries, int64_t depth,
                                    int64_t width);

// Adds helpers and body. The range: blocks of queries, products. Buffers: q, k
// (panels, or rows), v; offsets, six ints a product: of q, k, v, the mask, the
// sink and y; those of mask, scale and sink that are there; y. Ints: queries,
// keys, depth, width, q_row, k_row, v_row, y_row, mask_row, mask_column,
// sink_row, is_causal. A float: scale, unless it is a buffer, scale_of.
void AddAttentionText(const AttentionBlock& block, KernelWriter& writer);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_KERNEL_H_
