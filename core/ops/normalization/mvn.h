// MVN: shift to a mean of 0 and scale to a variance of 1.
#ifndef DOVETAIL_CORE_OPS_NORMALIZATION_MVN_H_
#define DOVETAIL_CORE_OPS_NORMALIZATION_MVN_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct MvnAttributes : public AttributesOf<MvnAttributes> {
  double eps = 1e-9;  // added to the variance
  // Whether to normalize all axes but the first, or all but the first two.
  bool across_channels = true;
  bool normalize_variance = true;  // else only the mean goes
  // Files hold it, but it is no part of the operation: where it says other
  // than across_channels, OpenVINO goes by across_channels.
  std::vector<int64_t> reduction_axes;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("eps", eps);
    visitor.Visit("across_channels", across_channels);
    visitor.Visit("normalize_variance", normalize_variance);
    visitor.Visit("reduction_axes", reduction_axes);
  }
};

enum class MvnEpsMode {
  kInsideSqrt,   // x / sqrt(variance + eps)
  kOutsideSqrt,  // x / (sqrt(variance) + eps)
};
absl::Span<const EnumName> EnumNames(MvnEpsMode);

struct Mvn6Attributes : public AttributesOf<Mvn6Attributes> {
  double eps = 1e-9;
  bool normalize_variance = true;
  MvnEpsMode eps_mode = MvnEpsMode::kInsideSqrt;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("eps", eps);
    visitor.Visit("normalize_variance", normalize_variance);
    visitor.Visit("eps_mode", eps_mode);
  }
};

// The axes that MVN-0 normalizes in data of that rank.
std::vector<int64_t> MvnAxes(const MvnAttributes& attributes, int rank);

// data -> the same shape; version 6 has the axes as input 1.
absl::Status InferMvn(InferContext& context);
absl::Status InferMvn6(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_NORMALIZATION_MVN_H_
