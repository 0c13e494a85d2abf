// Operations that a neural engine may compute, as layers.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_ENGINE_LAYERS_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_ENGINE_LAYERS_H_

#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::vpu {

// Sets kind, shape, repeats, multiply-adds and reason of a convolution, pooling
// or product of matrices; false for other operations. Products of two inputs
// that change, and convolutions that break a rule of the engines, are SHAVEs'.
// The node's shapes are static.
absl::StatusOr<bool> ReadEngineLayer(const Machine& machine, const Node& node,
                                     bool has_constant_weights, Layer& layer);

// Which unit computes a node, for people: "NCE", or "SHAVE: a dilation of 2"
// with the rule of the engines that it breaks; empty for other operations than
// those, and where shapes are not known.
std::string UnitOf(const Machine& machine, const Node& node);

// The shape, where it has bounds the largest one. kFailedPrecondition, with the
// node, for one without bounds or elements.
absl::StatusOr<Shape> StaticShape(const Node& node, const PartialShape& shape);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_ENGINE_LAYERS_H_
