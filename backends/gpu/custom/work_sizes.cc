#include "dovetail/backends/gpu/custom/work_sizes.h"

#include <algorithm>
#include <limits>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<NamedSizes> SizesOf(const CustomKernel& kernel,
                                   const Node& node) {
  const int input = kernel.work_sizes.input;
  int64_t sizes[4] = {1, 1, 1, 1};
  if (input < 0) {
    const Shape shape = node.port().shape.ToShape().value_or(Shape());
    for (int i = 0; i < std::min(4, shape.rank()); ++i) sizes[i] = shape[i];
  } else if (input < node.input_count()) {
    const Shape shape = node.input(input).shape().ToShape().value_or(Shape());
    for (int i = 0; i < std::min(4, shape.rank()); ++i) {
      sizes[3 - i] = shape[shape.rank() - 1 - i];
    }
  } else {
    return InvalidArgument("<WorkSizes dim=\"input,", input,
                           "\">: the layer has ", node.input_count(),
                           " inputs");
  }
  return NamedSizes{sizes[0], sizes[1], sizes[2], sizes[3]};
}

absl::StatusOr<std::vector<int64_t>> Evaluate(
    const std::vector<std::string>& expressions, const NamedSizes& sizes,
    const char* attribute) {
  std::vector<int64_t> values;
  for (const std::string& text : expressions) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t value,
                              EvaluateSizeExpression(text, sizes));
    if (value < 1 || value > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("<WorkSizes ", attribute, ">: '", text, "' is ",
                             value, ", want 1 to 2^31 - 1");
    }
    values.push_back(value);
  }
  return values;
}

bool AsksForItsGroup(const CustomKernel& kernel) {
  constexpr const char* kWords[] = {
      "get_local_id",   "get_local_size", "get_group_id",
      "get_num_groups", "local ",         "barrier",
      "sub_group",      "async_work",     "LOCAL_WORKSIZE"};
  for (const CustomSource& source : kernel.sources) {
    for (const char* word : kWords) {
      if (absl::StrContains(source.text, word)) return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<WorkSizes> WorkSizesOf(const CustomKernel& kernel,
                                      const Node& node) {
  DOVETAIL_ASSIGN_OR_RETURN(const NamedSizes named, SizesOf(kernel, node));
  WorkSizes sizes;
  DOVETAIL_ASSIGN_OR_RETURN(
      sizes.global, Evaluate(kernel.work_sizes.global, named, "global"));
  DOVETAIL_ASSIGN_OR_RETURN(sizes.local,
                            Evaluate(kernel.work_sizes.local, named, "local"));
  if (sizes.global.empty()) {
    sizes.global = {node.port().shape.ToShape().value_or(Shape()).Count()};
  }
  if (sizes.local.empty()) return sizes;
  if (sizes.local.size() != sizes.global.size()) {
    return InvalidArgument("<WorkSizes>: ", sizes.local.size(),
                           " sizes in local and ", sizes.global.size(),
                           " in global, want as many");
  }
  for (size_t i = 0; i < sizes.local.size(); ++i) {
    if (sizes.global[i] % sizes.local[i] == 0) continue;
    if (!AsksForItsGroup(kernel)) {
      sizes.local.clear();
      break;
    }
    return InvalidArgument("<WorkSizes>: groups of ", sizes.local[i],
                           " do not divide ", sizes.global[i],
                           " work items, as OpenCL 1.2 wants it");
  }
  return sizes;
}

}  // namespace dovetail::gpu
