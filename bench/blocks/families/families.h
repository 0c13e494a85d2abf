// Families of blocks, a function each: it adds inputs, nodes and outputs.
#ifndef DOVETAIL_BENCH_BLOCKS_FAMILIES_FAMILIES_H_
#define DOVETAIL_BENCH_BLOCKS_FAMILIES_FAMILIES_H_

#include <cstdint>

#include "dovetail/bench/blocks/block_builder.h"

namespace dovetail::blocks {

struct Size {
  int64_t channels = 32;  // a multiple of 32
  // Rows and columns of an image, steps of a sequence.
  int64_t extent = 14;
  int64_t depth = 1;    // how often what the block is about is repeated
  int64_t variant = 0;  // families say what it chooses
};

using Build = void (*)(BlockBuilder& b, const Size& size);

// ---- Convolutions: images of [1, channels, extent, extent] ----

void BuildBottleneck(BlockBuilder& b, const Size& size);
// Depthwise windows of 3 or 5 (odd variants).
void BuildMbconv(BlockBuilder& b, const Size& size);
void BuildConvnext(BlockBuilder& b, const Size& size);
// Three maps, of `extent` and its half and quarter.
void BuildFpn(BlockBuilder& b, const Size& size);
// Odd variants have group norms, and depthwise transposed convolutions.
void BuildUnet(BlockBuilder& b, const Size& size);
void BuildAspp(BlockBuilder& b, const Size& size);

// ---- Attention ----

// Windows of 7x7 in [1, extent, extent, channels]; odd variants shift them.
void BuildWindowMatMul(BlockBuilder& b, const Size& size);
void BuildWindowEinsum(BlockBuilder& b, const Size& size);
// Grids of 7x7 in [1, channels, extent, extent], then a mix of channels.
void BuildGridAttention(BlockBuilder& b, const Size& size);
// `extent` queries of another sequence; odd variants have the operation
// ScaledDotProductAttention.
void BuildCrossAttention(BlockBuilder& b, const Size& size);
// Decodes one token after `extent` others, or (odd variants) reads `extent`
// tokens at once.
void BuildDecoder(BlockBuilder& b, const Size& size);

// ---- Others ----

// Tokens of extent x extent pixels.
void BuildMixFfn(BlockBuilder& b, const Size& size);
// Two layers; odd variants are bidirectional.
void BuildGru(BlockBuilder& b, const Size& size);
void BuildLstm(BlockBuilder& b, const Size& size);
// `extent` tokens, the two best of `depth` * 4 experts.
void BuildMoeGate(BlockBuilder& b, const Size& size);

}  // namespace dovetail::blocks

#endif  // DOVETAIL_BENCH_BLOCKS_FAMILIES_FAMILIES_H_
