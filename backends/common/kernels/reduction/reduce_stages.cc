#include <algorithm>
#include <cmath>

#include "dovetail/backends/common/kernels/reduction/reduce.h"
#include "dovetail/backends/common/kernels/simd/columns.h"

namespace dovetail::host {

int64_t ReduceStage::units() const {
  return inner == 1 ? outer : ColumnUnits(outer, inner);
}

std::vector<ReduceStage> ReduceStages(absl::Span<const int64_t> dims,
                                      absl::Span<const bool> reduced) {
  std::vector<ReduceStage> stages;
  // From the last axis on: the innermost run of axes that go is the first
  // stage, and leaves less to the others.
  int64_t inner = 1;
  for (size_t i = dims.size(); i > 0;) {
    if (!reduced[i - 1]) {
      inner *= dims[--i];
      continue;
    }
    int64_t length = 1;
    for (; i > 0 && reduced[i - 1]; --i) length *= dims[i - 1];
    int64_t outer = 1;
    for (size_t k = 0; k < i; ++k) outer *= dims[k];
    stages.push_back({outer, length, inner});
  }
  // Also where no axis goes, |x| and x^2 are to be computed.
  if (stages.empty()) stages.push_back({inner, 1, 1});
  return stages;
}

std::vector<ReduceStage> DivideLongStages(
    const std::vector<ReduceStage>& stages, int64_t least) {
  constexpr int64_t kEnoughUnits = 16;
  std::vector<ReduceStage> divided;
  for (const ReduceStage& stage : stages) {
    int64_t parts = 1;
    if (stage.units() > 0 && stage.units() < kEnoughUnits) {
      parts = std::clamp<int64_t>(stage.in_count() / stage.units() / least, 1,
                                  kEnoughUnits);
    }
    while (stage.length % parts != 0) --parts;
    if (parts > 1) {
      divided.push_back(
          {stage.outer * parts, stage.length / parts, stage.inner});
      divided.push_back({stage.outer, parts, stage.inner});
    } else {
      divided.push_back(stage);
    }
  }
  return divided;
}

bool NeedsFinish(ReduceKind kind) {
  return kind == ReduceKind::kMean || kind == ReduceKind::kL2;
}

void FinishReduce(ReduceKind kind, int64_t count, float* data, int64_t begin,
                  int64_t end) {
  if (kind == ReduceKind::kMean) {
    const float divisor = static_cast<float>(count);
    for (int64_t i = begin; i < end; ++i) data[i] /= divisor;
  } else if (kind == ReduceKind::kL2) {
    for (int64_t i = begin; i < end; ++i) data[i] = std::sqrt(data[i]);
  }
}

}  // namespace dovetail::host
