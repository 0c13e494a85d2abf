#include "dovetail/backends/vpu/compiler/ddr_use.h"

#include <algorithm>
#include <cmath>

namespace dovetail::vpu {
namespace {

bool ReadsDdr(const Layer& layer, const std::vector<std::string>& ddr) {
  return !layer.inputs.empty() && !ddr[layer.inputs[0]].empty();
}

// Of a stage that SHAVEs do, in f16; the input of a network comes as u8.
int64_t ShaveBytes(const Network& network, int index,
                   const std::vector<std::string>& ddr) {
  const Layer& layer = network[index];
  int64_t bytes = ddr[index].empty() ? 0 : 2 * layer.elements;
  if (layer.kind == LayerKind::kInput) bytes += layer.elements;
  for (const int input : layer.inputs) {
    if (!ddr[input].empty()) bytes += 2 * network[input].elements;
  }
  return bytes;
}

int64_t Uncapped(const Machine& machine, const Network& network, int index,
                 const std::vector<std::string>& ddr, const Stage& stage) {
  const Layer& layer = network[index];
  if (stage.lane == Lane::kDma) return stage.output_cycles;
  if (stage.lane == Lane::kShave) {
    const double ns = machine.burst_byte_ns *
                      static_cast<double>(ShaveBytes(network, index, ddr));
    return std::llround(machine.cycles_of_ns(ns));
  }
  const bool counts = layer.kind != LayerKind::kPool || ReadsDdr(layer, ddr);
  return counts ? stage.input_cycles : 0;
}

}  // namespace

void CountDdr(const Machine& machine, const Network& network, int index,
              const std::vector<std::string>& ddr, Stage& stage) {
  stage.ddr_cycles =
      std::min(stage.cycles, Uncapped(machine, network, index, ddr, stage));
}

}  // namespace dovetail::vpu
