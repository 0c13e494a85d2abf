#include "dovetail/backends/vpu/schedule/graph/build_graph.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/schedule/graph/concatenation.h"
#include "dovetail/backends/vpu/schedule/graph/engine_layer.h"
#include "dovetail/backends/vpu/schedule/graph/flush_outputs.h"
#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {
namespace {

// Kernels that apply a function to each element take two SHAVEs at most.
bool IsPostOperation(const std::string& type) {
  static constexpr absl::string_view kTypes[] = {
      "Relu", "ReLU", "PRelu", "Clamp", "Elu", "Sigmoid", "Tanh", "HSwish"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) !=
         std::end(kTypes);
}

bool NeedsOneShave(const std::string& type) {
  static constexpr absl::string_view kTypes[] = {"Softmax", "SoftMax",
                                                 "Permute"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) !=
         std::end(kTypes);
}

void AddView(int index, GraphBuilder& builder) {
  const std::vector<int> inputs = builder.InputsOf(builder.layer(index));
  if (!inputs.empty()) builder.set_output(index, inputs.front());
}

// A layer that is one work of SHAVEs or DMA.
void AddSimple(int index, GraphBuilder& builder) {
  const Layer& layer = builder.layer(index);
  Work work = builder.WorkOf(index, Lane::kShave);
  work.output = builder.AddOutput(index);
  work.need = NeedsOneShave(layer.type)     ? ShaveNeed::kOne
              : IsPostOperation(layer.type) ? ShaveNeed::kTwo
                                            : ShaveNeed::kAll;
  if (layer.kind == LayerKind::kInput) {
    builder.buffer(work.output).is_border = true;
    builder.buffer(work.output).reason = "input of the network";
  }
  if (layer.kind == LayerKind::kCustom) {
    work.need = ShaveNeed::kMax;
    AddReason("needs all SHAVEs, so that it runs beside no engine", work);
  }
  if (layer.kind == LayerKind::kCopy) {
    work.lane = Lane::kDma;
    work.need = ShaveNeed::kNone;
    builder.SetCopied(work.output, work);
  }
  builder.AddWork(std::move(work));
}

void AddLayer(int index, GraphBuilder& builder) {
  switch (builder.layer(index).kind) {
    case LayerKind::kView:
      AddView(index, builder);
      return;
    case LayerKind::kConcat:
      AddConcatenation(index, builder);
      return;
    case LayerKind::kConvolution:
    case LayerKind::kPool:
      AddEngineLayer(index, builder);
      return;
    default:
      AddSimple(index, builder);
  }
}

}  // namespace

StageGraph BuildGraph(const Machine& machine, const Network& network) {
  GraphBuilder builder(machine, network);
  for (size_t i = 0; i < network.size(); ++i) {
    AddLayer(static_cast<int>(i), builder);
  }
  FlushOutputs(builder);
  return std::move(builder).Take();
}

}  // namespace dovetail::vpu
