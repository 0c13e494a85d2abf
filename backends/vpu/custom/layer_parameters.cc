#include "dovetail/backends/vpu/custom/layer_parameters.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/custom/attribute_texts.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::vpu {
namespace {

// How many axes of the weights are groups; -1: no convolution.
int GroupAxes(const Node& node) {
  if (node.Is("GroupConvolution")) return 1;
  return node.Is("Convolution") || node.Is("BinaryConvolution") ? 0 : -1;
}

}  // namespace

std::map<std::string, std::string> LayerParameters(const Node& node) {
  std::map<std::string, std::string> all = AttributeTexts(node.attributes());
  const int groups = GroupAxes(node);
  if (groups < 0) return all;
  const auto weights = node.input(1).shape().ToShape();
  if (!weights.ok() || weights->rank() < groups + 3) return all;
  std::vector<int64_t> kernel;
  for (int axis = groups + 2; axis < weights->rank(); ++axis) {
    kernel.push_back((*weights)[axis]);
  }
  const int64_t group = groups == 1 ? (*weights)[0] : 1;
  all.emplace("kernel", absl::StrJoin(kernel, ","));
  all.emplace("output", absl::StrCat(group * (*weights)[groups]));
  all.emplace("group", absl::StrCat(group));
  return all;
}

}  // namespace dovetail::vpu
