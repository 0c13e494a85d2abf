#include "dovetail/backends/vpu/compiler/compile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/convolution_stages.h"
#include "dovetail/backends/vpu/compiler/ddr_use.h"
#include "dovetail/backends/vpu/compiler/location.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

absl::Status Check(const Network& network) {
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer& layer = network[i];
    for (int input : layer.inputs) {
      if (input < 0 || input >= static_cast<int>(i)) {
        return InvalidArgument("layer '", layer.name, "' reads layer ", input,
                               ", which does not come before it");
      }
    }
    const ConvShape& s = layer.shape;
    const int64_t least = std::min(
        {s.in_channels, s.out_channels, s.in_width, s.in_height, s.out_width,
         s.out_height, s.kernel_x, s.kernel_y, s.stride, layer.repeats});
    if (least < 1) {
      return InvalidArgument("layer '", layer.name, "' has an extent of ",
                             least, ", but at least 1 is needed");
    }
  }
  return absl::OkStatus();
}

// Output channels beyond what an engine takes are convolutions of their own.
void AddEngineLayer(const Machine& machine, const Layer& layer, int index,
                    absl::string_view in_ddr, Stages& stages) {
  for (int64_t begin = 0; begin < layer.shape.out_channels;
       begin += kMostChannels) {
    ConvShape part = layer.shape;
    part.out_channels = std::min(kMostChannels, part.out_channels - begin);
    std::string name = layer.name;
    if (part.out_channels < layer.shape.out_channels) {
      absl::StrAppend(&name, "@sok=", begin);
    }
    if (layer.kind == LayerKind::kPool) {
      AddPool(machine, part, index, name, stages);
    } else {
      AddConvolution(machine, part, index, name, in_ddr, stages);
    }
  }
}

// One record for what is done alike for each group and image of a batch.
void Repeat(int64_t times, Stage& stage) {
  if (times == 1) return;
  absl::StrAppend(&stage.name, "@x", times);
  for (int64_t* value :
       {&stage.cycles, &stage.compute_cycles, &stage.input_cycles,
        &stage.output_cycles, &stage.macs, &stage.bytes,
        &stage.ddr_cycles}) {
    *value *= times;
  }
}

struct Costs {
  Lane lane;
  double stage;
  double rest;
};

Costs CostsOf(const Machine& machine, const Layer& layer) {
  const double elements = static_cast<double>(layer.elements);
  const double share = 2 / machine.shaves_beside_hw;
  switch (layer.kind) {
    case LayerKind::kInput:
      return {Lane::kShave, machine.convert_stage_cycles,
              machine.convert_element_cycles * share * elements};
    case LayerKind::kBinary:
      return {Lane::kShave, machine.binary_stage_cycles,
              machine.binary_element_cycles * share * elements};
    case LayerKind::kProducts:
      return {Lane::kShave, machine.unary_stage_cycles,
              ShaveProductCycles(machine, layer.macs)};
    case LayerKind::kCopy:
      return {
          Lane::kDma, machine.copy_stage_cycles,
          DmaCycles(machine, layer.shape.out_channels,
                    CeilDivide(2 * layer.elements, layer.shape.out_channels))};
    default:
      return {Lane::kShave, machine.unary_stage_cycles,
              machine.unary_element_cycles * share * elements};
  }
}

Stage SimpleStage(const Machine& machine, const Layer& layer, int index) {
  const Costs costs = CostsOf(machine, layer);
  Stage stage;
  stage.layer = index;
  stage.name = layer.name;
  stage.lane = costs.lane;
  stage.macs = layer.macs;
  const bool is_copy = layer.kind == LayerKind::kCopy;
  (is_copy ? stage.output_cycles : stage.compute_cycles) =
      std::llround(costs.rest);
  if (is_copy) stage.bytes = 2 * layer.elements;
  stage.cycles = std::llround(costs.stage) + std::llround(costs.rest);
  stage.bound = costs.stage > costs.rest ? "fixed"
                : is_copy                ? "output"
                                         : "compute";
  stage.reason = layer.reason;
  return stage;
}

}  // namespace

absl::StatusOr<Compiled> Compile(const Machine& machine,
                                 const Network& network) {
  DOVETAIL_RETURN_IF_ERROR(Check(network));
  std::vector<std::string> ddr = DdrReasons(machine, network);
  Compiled compiled;
  compiled.memory = Allocate(machine, network, ddr);
  Stages& stages = compiled.stages;
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer& layer = network[i];
    const int index = static_cast<int>(i);
    if (layer.kind == LayerKind::kView) continue;
    const bool is_engine =
        layer.kind == LayerKind::kConvolution || layer.kind == LayerKind::kPool;
    if (!is_engine) {
      stages.push_back(SimpleStage(machine, layer, index));
      CountDdr(machine, network, index, ddr, stages.back());
      continue;
    }
    Stages once;
    const absl::string_view in_ddr =
        layer.inputs.empty() ? "" : absl::string_view(ddr[layer.inputs[0]]);
    AddEngineLayer(machine, layer, index, in_ddr, once);
    for (Stage& stage : once) {
      CountDdr(machine, network, index, ddr, stage);
      Repeat(layer.repeats, stage);
      stages.push_back(std::move(stage));
    }
  }
  return compiled;
}

}  // namespace dovetail::vpu
