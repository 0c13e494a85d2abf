#include "dovetail/backends/gpu/custom/work_sizes.h"

#include <limits>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

absl::StatusOr<std::vector<int64_t>> Evaluate(
    const std::vector<std::string>& expressions, const CustomNames& names,
    const char* attribute) {
  std::vector<int64_t> values;
  for (const std::string& text : expressions) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, names.Evaluate(text));
    if (value < 1 || value > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("<WorkSizes ", attribute, ">: '", text, "' is ",
                             value, ", want 1 to 2^31 - 1");
    }
    values.push_back(value);
  }
  return values;
}

bool AsksForItsGroup(const CustomKernel& kernel) {
  if (kernel.sources.empty()) return true;  // a binary may
  constexpr const char* kWords[] = {
      "get_local_id", "get_local_size", "get_group_id",    "get_num_groups",
      "local ",       "barrier",        "work_group_size", "sub_group",
      "async_work",   "LOCAL_WORKSIZE"};
  for (const CustomSource& source : kernel.sources) {
    for (const char* word : kWords) {
      if (absl::StrContains(source.text, word)) return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<WorkSizes> WorkSizesOf(const CustomKernel& kernel,
                                      const Node& node,
                                      const CustomNames& names,
                                      const DeviceTraits& device) {
  WorkSizes sizes;
  DOVETAIL_ASSIGN_OR_RETURN(
      sizes.global, Evaluate(kernel.work_sizes.global, names, "global"));
  DOVETAIL_ASSIGN_OR_RETURN(sizes.local,
                            Evaluate(kernel.work_sizes.local, names, "local"));
  if (sizes.global.empty()) {
    sizes.global = {node.port().shape.ToShape().value_or(Shape()).Count()};
  }
  for (size_t i = 0; i < sizes.local.size(); ++i) {
    if (sizes.global[i] % sizes.local[i] == 0) continue;
    if (!AsksForItsGroup(kernel)) {
      sizes.local.clear();
      break;
    }
    if (!device.has_uneven_groups) {
      return InvalidArgument(
          "<WorkSizes>: groups of ", sizes.local[i], " do not divide ",
          sizes.global[i], " work items, and '", device.name,
          "' has no groups that do not (non-uniform work groups of OpenCL 2)");
    }
    sizes.is_uneven = true;
  }
  return sizes;
}

}  // namespace dovetail::gpu
