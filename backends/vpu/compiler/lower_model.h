// Models as networks.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_LOWER_MODEL_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_LOWER_MODEL_H_

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// Names of layers that no engine is to compute, and the reason that they have.
using BlackList = std::set<std::string>;
inline constexpr absl::string_view kBlackListed =
    "the black list of engines names it";

// Layers of a model whose shapes are static; values are not looked at. A layer
// that goes into the one before it (a bias, a scale, an activation), and one
// that only names memory anew, is a view with its reason. An If is the layers
// of its body of more work, with its name before theirs. Those of `black_list`
// are SHAVEs', with that reason. kUnimplemented, with the layer, for what has
// no time model: other operations with bodies.
absl::StatusOr<Network> LowerModel(const Machine& machine, const Model& model,
                                   const BlackList& black_list = {});

// The list with which a network was lowered, as far as it had these layers.
BlackList BlackListOf(const Network& network);

// What an engine would compute, as work of SHAVEs, if the list has its name.
void KeepFromEngines(const BlackList& black_list, Layer& layer);

// OK for a node that the processor can run, whatever its shapes; else
// kUnimplemented, for an If too.
absl::Status CheckTimeModel(const Node& node);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_LOWER_MODEL_H_
