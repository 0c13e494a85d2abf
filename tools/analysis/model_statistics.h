// Figures of a model that can be told without running it.
#ifndef DOVETAIL_TOOLS_ANALYSIS_MODEL_STATISTICS_H_
#define DOVETAIL_TOOLS_ANALYSIS_MODEL_STATISTICS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "dovetail/core/graph/model.h"

namespace dovetail::cli {

struct ModelStatistics {
  std::map<std::string, int64_t> operations;  // "Convolution-1" -> how many
  int64_t parameters = 0;       // elements of float constants and weights
  int64_t constant_bytes = 0;
  // Multiply-accumulates of convolutions and matrix products; nothing when a
  // shape that they depend on is not known.
  std::optional<int64_t> macs;
  // The most bytes of intermediate tensors that are alive at the same time
  // when nodes run in topological order and each tensor is freed after its last
  // use; nothing when a shape is not known.
  std::optional<int64_t> peak_bytes;
};

// kInvalidArgument for a model with a cycle.
absl::StatusOr<ModelStatistics> CollectStatistics(const Model& model);

// Multiply-accumulates of one node; 0 for operations that have none, nothing
// when shapes are not known.
std::optional<int64_t> CountMacs(const Node& node);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ANALYSIS_MODEL_STATISTICS_H_
