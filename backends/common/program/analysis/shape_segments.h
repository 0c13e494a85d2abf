// Parts of a model of which only some see how long its sequences are.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_SEGMENTS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_SEGMENTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

struct ModelSegment {
  // All shapes are known: a plan for it fits every run. In other segments they
  // vary.
  bool is_fixed = false;
  // In topological order. A node that computes extents is in each segment that
  // needs it, so that it is known there when the segment is specialised, and so
  // is one that is made of constants alone, which plans pack, or keep
  // compressed.
  std::vector<const Node*> nodes;
  // What the nodes read of others, constants aside.
  std::vector<Value> inputs;
  // What later segments or results read; of one segment each.
  std::vector<Value> outputs;
};

// The values that the nodes read and that come from elsewhere than the nodes
// themselves, constants aside.
std::vector<Value> ValuesReadBy(const std::vector<const Node*>& nodes);

// Segments to be run one after the other, fixed ones and others in turn, of a
// model some of whose parameters have dynamic shapes, and which has no
// variables (variable_ports.h). Nodes that nobody reads are left out, unless
// they have side effects.
absl::StatusOr<std::vector<ModelSegment>> SplitIntoSegments(const Model& model);

// Whether it saves much to specialise the varying segments alone for new
// shapes, in place of the whole model: they have few of the nodes.
bool IsMostlyFixed(const std::vector<ModelSegment>& segments);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_SHAPE_SEGMENTS_H_
