// Operations that move numbers about and compute none, so that they do the same
// to the integers that stand for the numbers.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_TRANSPARENT_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_TRANSPARENT_H_

#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {

// How many of the first inputs share quantization parameters with the outputs:
// 0 unless the node is such an operation, all for Concat.
int TransparentInputs(const Node& node);
// Whether an output has these parameters, too, as against the indices of
// MaxPool.
bool IsTransparentOutput(const Node& node, int output);

// Whether the node, if all TransparentInputs have these parameters, does
// nothing to the numbers that it can't do to the integers: numbers that it
// adds, as padding does, have to be representable, and channels have to stay
// where they are when they have scales of their own.
bool KeepsParams(const Node& node, const QuantizationParams& params);

// The outputs of the node for integers in place of the first inputs. Only when
// KeepsParams().
std::vector<Value> MakeOfIntegers(NodeBuilder& b,
                                  const std::vector<Value>& integers,
                                  const QuantizationParams& params);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_TRANSPARENT_H_
