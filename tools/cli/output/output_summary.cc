#include "dovetail/tools/cli/output/output_summary.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "dovetail/core/base/status.h"

namespace dovetail::cli {

Summary Summarize(const Tensor& tensor) {
  Summary summary;
  if (tensor.type() == ElementType::kString) return summary;
  int64_t count = 0;
  double sum = 0;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = tensor.ElementAsDouble(i);
    if (std::isnan(value)) {
      ++summary.nan_count;
      continue;
    }
    summary.min = count == 0 ? value : std::min(summary.min, value);
    summary.max = count == 0 ? value : std::max(summary.max, value);
    sum += value;
    ++count;
  }
  if (count > 0) summary.mean = sum / static_cast<double>(count);
  return summary;
}

std::vector<std::pair<int64_t, double>> TopK(const Tensor& tensor, int64_t k) {
  std::vector<std::pair<int64_t, double>> values;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = tensor.ElementAsDouble(i);
    // NaN has no place in an order.
    if (!std::isnan(value)) values.emplace_back(i, value);
  }
  k = std::min<int64_t>(k, static_cast<int64_t>(values.size()));
  std::partial_sort(values.begin(), values.begin() + k, values.end(),
                    [](const auto& a, const auto& b) {
                      return a.second != b.second ? a.second > b.second
                                                  : a.first < b.first;
                    });
  values.resize(k);
  return values;
}

absl::StatusOr<std::vector<std::string>> ReadLabels(const std::string& path) {
  std::ifstream file(path);
  if (!file) return NotFound("cannot read the labels in ", path);
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

}  // namespace dovetail::cli
