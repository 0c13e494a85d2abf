// Which blocks there are: parts of networks that nobody tuned for.
#ifndef DOVETAIL_BENCH_BLOCKS_BLOCK_LIST_H_
#define DOVETAIL_BENCH_BLOCKS_BLOCK_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::blocks {

struct Block {
  std::string name;  // "unet_32x96_quantized": family, channels, extent, form
  std::string family;
  Form form;
  Size size;
  Build build;
  unsigned seed;  // of its constants
};

// 200 blocks: each family in each form, at several sizes near usual ones. The
// same seed gives the same ones everywhere.
std::vector<Block> AllBlocks(unsigned seed);

// Small ones for tests: each family in each form and in both variants.
std::vector<Block> SmallBlocks(unsigned seed);

// An error says what a family does wrong.
absl::StatusOr<Model> MakeModel(const Block& block);

}  // namespace dovetail::blocks

#endif  // DOVETAIL_BENCH_BLOCKS_BLOCK_LIST_H_
