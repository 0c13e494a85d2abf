#include "dovetail/bench/blocks/block_list.h"

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::blocks {
namespace {

constexpr Form kForms[] = {Form::kFloat, Form::kQuantized, Form::kU8,
                           Form::kI4};

struct Family {
  const char* name;
  Build build;
  // Channels, extent, depth, variant.
  std::vector<Size> sizes;
  int64_t extent_step = 1;  // extents are multiples of it
};

const std::vector<Family>& Families() {
  static const auto& families = *new std::vector<Family>{
      {"bottleneck", &BuildBottleneck,
       {{256, 56, 1}, {512, 28, 1}, {1024, 14, 1}, {128, 40, 2}}},
      {"mbconv", &BuildMbconv,
       {{32, 56, 1}, {64, 28, 2, 1}, {96, 14, 3}, {160, 14, 2, 1}}},
      {"convnext", &BuildConvnext,
       {{96, 56, 1}, {192, 28, 1}, {384, 14, 1}, {64, 33, 2}}},
      {"fpn", &BuildFpn, {{64, 40}, {128, 28, 1, 1}, {256, 20}, {96, 52, 1, 1}},
       4},
      {"unet", &BuildUnet,
       {{32, 64, 2}, {32, 96, 3, 1}, {64, 48, 2}, {64, 64, 2, 1}}, 8},
      {"aspp", &BuildAspp, {{256, 24}, {512, 16}, {128, 33}, {320, 20}}},
      {"window_matmul", &BuildWindowMatMul,
       {{96, 56, 1}, {192, 28, 1, 1}, {384, 14, 1}, {128, 35, 1, 1}}, 7},
      {"window_einsum", &BuildWindowEinsum,
       {{96, 56, 1}, {192, 28, 1, 1}, {384, 14, 1}, {128, 35, 1, 1}}, 7},
      {"grid_attention", &BuildGridAttention,
       {{64, 56, 1}, {128, 28, 1}, {256, 14, 2}, {96, 42, 1}}, 7},
      {"cross_attention", &BuildCrossAttention,
       {{128, 64, 1}, {320, 256, 1, 1}, {256, 100, 1}, {512, 64, 1, 1}}},
      {"mix_ffn", &BuildMixFfn,
       {{32, 64, 1}, {64, 32, 2}, {160, 16, 2}, {256, 8, 2}}},
      {"gru", &BuildGru,
       {{128, 20}, {256, 50, 1, 1}, {512, 30}, {96, 100, 1, 1}}},
      {"lstm", &BuildLstm,
       {{128, 20}, {256, 50, 1, 1}, {512, 30}, {96, 100, 1, 1}}},
      {"moe_gate", &BuildMoeGate,
       {{128, 16, 1}, {256, 32, 2}, {512, 8, 1}, {256, 64, 1}}},
      {"decoder", &BuildDecoder,
       {{256, 128, 2},
        {512, 64, 1, 1},
        {512, 512, 1},
        {1024, 256, 1},
        {768, 32, 1, 1}}},
  };
  return families;
}

// How many of a family's sizes there are in a form. Language models, whose
// weights are compressed most often, have all.
size_t SizeCount(const Family& family, Form form) {
  const size_t all = family.sizes.size();
  if (form == Form::kFloat) return all;
  if (form == Form::kQuantized) return 4;
  const bool is_decoder = family.build == &BuildDecoder;
  return is_decoder ? (form == Form::kU8 ? 5 : 4) : (form == Form::kU8 ? 3 : 2);
}

// A multiple of `step` that is not far from `usual`.
int64_t Near(int64_t usual, int64_t step, std::mt19937& generator) {
  const int64_t low = std::max<int64_t>(1, usual * 7 / 8 / step);
  const int64_t high = std::max(low, usual * 9 / 8 / step);
  return step * (low + static_cast<int64_t>(generator() % (high - low + 1)));
}

Block MakeBlock(const Family& family, const Size& size, Form form,
                unsigned seed) {
  return {absl::StrCat(family.name, "_", size.channels, "x", size.extent, "_",
                       FormName(form)),
          family.name, form, size, family.build, seed};
}

}  // namespace

std::vector<Block> AllBlocks(unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<Block> blocks;
  for (const Family& family : Families()) {
    std::vector<Size> sizes = family.sizes;
    for (Size& size : sizes) {
      size.channels = Near(size.channels, 32, generator);
      size.extent = Near(size.extent, family.extent_step, generator);
    }
    for (const Form form : kForms) {
      for (size_t i = 0; i < SizeCount(family, form); ++i) {
        blocks.push_back(MakeBlock(family, sizes[i], form, generator()));
      }
    }
  }
  return blocks;
}

std::vector<Block> SmallBlocks(unsigned seed) {
  std::vector<Block> blocks;
  for (const Family& family : Families()) {
    for (const Form form : kForms) {
      for (const int64_t variant : {0, 1}) {
        const Size size = {64, 2 * family.extent_step + 6, 1, variant};
        blocks.push_back(MakeBlock(family, size, form, seed++));
        absl::StrAppend(&blocks.back().name, "_", variant);
      }
    }
  }
  return blocks;
}

absl::StatusOr<Model> MakeModel(const Block& block) {
  Model model(block.name);
  const OpInfo& parameter = *FindOp("Parameter");
  // Only the name of this node matters, and it goes when the rest is there.
  DOVETAIL_ASSIGN_OR_RETURN(
      Node* const root,
      model.Add(parameter, {}, parameter.make_attributes(), block.family));
  BlockBuilder builder(model, *root, block.form, block.seed);
  block.build(builder, block.size);
  DOVETAIL_RETURN_IF_ERROR(builder.status());
  model.RemoveNode(root);
  model.RemoveUnused();
  for (const auto& node : model.nodes()) node->rt_info() = RtInfo();
  DOVETAIL_RETURN_IF_ERROR(model.Verify());
  return model;
}

}  // namespace dovetail::blocks
