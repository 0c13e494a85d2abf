// Outputs for people: extremes, mean and first values, or the best classes.
#ifndef DOVETAIL_TOOLS_CLI_OUTPUT_OUTPUT_SUMMARY_H_
#define DOVETAIL_TOOLS_CLI_OUTPUT_OUTPUT_SUMMARY_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cli {

struct Summary {
  double min = 0, max = 0, mean = 0;  // of the elements that are no NaN
  int64_t nan_count = 0;
};
Summary Summarize(const Tensor& tensor);

// Index and value of the `k` greatest elements, the greatest first; of two
// equal ones the first.
std::vector<std::pair<int64_t, double>> TopK(const Tensor& tensor, int64_t k);

// One name a line. kNotFound when there is no such file.
absl::StatusOr<std::vector<std::string>> ReadLabels(const std::string& path);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_OUTPUT_OUTPUT_SUMMARY_H_
