// Models of one layer, which custom kernels compute.
#ifndef DOVETAIL_BACKENDS_VPU_TESTING_ONE_LAYER_H_
#define DOVETAIL_BACKENDS_VPU_TESTING_ONE_LAYER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail::vpu {

// Why custom kernels cannot run here; empty where they can.
std::string WhyNoCustomKernels();

// `layer` is the text of a node, "Relu-0(%x) {}", whose input %x has that
// shape,
// "[1,3]", or lines before it and that. The layer is named "layer".
Model ModelWith(const std::string& shape, const std::string& layer);

// So many numbers of one decimal, from -1 to 1: "0.1, -0.7".
std::string NumbersText(int64_t count);

// Outputs of an inference whose inputs are numbers from -3 to 3, and what the
// layer "layer" took: "bytes", "cycles" by its records. A layer that did not
// run has none.
struct Inferred {
  std::vector<float> values;
  int64_t bytes = 0, cycles = 0;
  std::vector<std::string> records;  // names, with PERF_REPORT_MODE=PER_STAGE
};
absl::StatusOr<Inferred> InferOnce(const CompiledModel& compiled);

// A file in the test's folder, with that text; its path.
std::string WriteTestFile(const std::string& name, const std::string& text);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_TESTING_ONE_LAYER_H_
