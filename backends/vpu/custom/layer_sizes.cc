#include "dovetail/backends/vpu/custom/layer_sizes.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/vpu/custom/layer_parameters.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"

namespace dovetail::vpu {
namespace {

using Kind = ShaveArgument::Kind;

}  // namespace

bool IsTensor(const ShaveArgument& argument) {
  return argument.kind == Kind::kInput || argument.kind == Kind::kOutput;
}

absl::Status ArgumentError(const ShaveArgument& argument,
                           absl::string_view message) {
  return InvalidArgument(argument.where, ": arg-name=\"", argument.name,
                         "\": ", message);
}

LayerSizes::LayerSizes(const ShaveKernel& kernel, const Node& node)
    : kernel_(kernel), node_(node), attributes_(LayerParameters(node)) {}

absl::StatusOr<LayerSizes> LayerSizes::Of(const ShaveKernel& kernel,
                                          const Node& node) {
  LayerSizes sizes(kernel, node);
  DOVETAIL_RETURN_IF_ERROR(sizes.FindImages());
  return sizes;
}

absl::StatusOr<Shape> LayerSizes::ShapeOf(bool is_output, int port) const {
  const int count = is_output ? node_.output_count() : node_.input_count();
  if (port >= count || (!is_output && !node_.input(port))) {
    return InvalidArgument("the layer has ", count,
                           is_output ? " outputs" : " inputs", ", none is ",
                           port);
  }
  return is_output ? node_.port(port).shape.ToShape()
                   : node_.input(port).shape().ToShape();
}

// Not of constants, and not of a tensor that is taken as it is.
bool LayerSizes::IsOfImages(const ShaveArgument& argument) const {
  if (!IsTensor(argument) || argument.format == ShaveFormat::kAny) {
    return false;
  }
  return argument.kind == Kind::kOutput ||
         argument.port >= node_.input_count() || !node_.input(argument.port) ||
         !node_.input(argument.port).node->Is("Constant");
}

// Batches of four axes are looped over.
absl::Status LayerSizes::FindImages() {
  for (const ShaveArgument& argument : kernel_.arguments) {
    if (!IsOfImages(argument)) continue;
    const auto shape = ShapeOf(argument.kind == Kind::kOutput, argument.port);
    if (!shape.ok()) return ArgumentError(argument, shape.status().message());
    if (shape->rank() == 4) images_ = std::max(images_, (*shape)[0]);
  }
  return absl::OkStatus();
}

bool LayerSizes::IsLooped(const ShaveArgument& argument,
                          const Shape& shape) const {
  const bool has_batch =
      shape.rank() == 4 ||
      (shape.rank() > 1 && argument.format != ShaveFormat::kFyx &&
       argument.format != ShaveFormat::kYxf);
  return IsOfImages(argument) && has_batch && shape[0] == images_;
}

// From the right, X first; two axes of a tensor that is BF are B and F. Of
// images each counts alone.
LayerSizes::Extents LayerSizes::ExtentsOf(const Shape& shape, bool is_bf,
                                          bool is_looped) {
  Extents extents;
  const int rank = shape.rank();
  if (rank == 2 && is_bf) {
    extents.b = is_looped ? 1 : shape[0];
    extents.f = shape[1];
    return extents;
  }
  int64_t* const all[] = {&extents.x, &extents.y, &extents.f, &extents.b};
  for (int i = 0; i < std::min(rank, 4); ++i) *all[i] = shape[rank - 1 - i];
  if (is_looped && rank >= 1 && rank <= 4) *all[rank - 1] = 1;
  return extents;
}

absl::StatusOr<LayerSizes::Extents> LayerSizes::ExtentsOf(
    const ShaveDim& dim) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            ShapeOf(dim.is_output, dim.port));
  const auto it =
      absl::c_find_if(kernel_.arguments, [&](const ShaveArgument& one) {
        return one.port == dim.port &&
               one.kind == (dim.is_output ? Kind::kOutput : Kind::kInput);
      });
  if (it == kernel_.arguments.end()) {
    return ExtentsOf(shape, /*is_bf=*/false, /*is_looped=*/false);
  }
  return ExtentsOf(shape, it->format == ShaveFormat::kBf, IsLooped(*it, shape));
}

// A letter, or an attribute that is a whole number or has one at `index`.
std::optional<int64_t> LayerSizes::Named(const Extents& extents,
                                         absl::string_view name,
                                         int64_t index) const {
  if (name.size() == 1 && index == -1) {
    switch (absl::ascii_toupper(name[0])) {
      case 'B':
        return extents.b;
      case 'F':
        return extents.f;
      case 'Y':
        return extents.y;
      case 'X':
        return extents.x;
    }
  }
  const auto it = attributes_.find(std::string(name));
  if (it == attributes_.end()) return std::nullopt;
  const std::vector<std::string> list = absl::StrSplit(it->second, ',');
  const size_t at = index < 0 ? 0 : static_cast<size_t>(index);
  int64_t value = 0;
  if ((index < 0 && list.size() != 1) || at >= list.size() ||
      !absl::SimpleAtoi(list[at], &value)) {
    return std::nullopt;
  }
  return value;
}

absl::StatusOr<int64_t> LayerSizes::Evaluate(absl::string_view text,
                                             const ShaveDim& dim) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Extents extents, ExtentsOf(dim));
  return EvaluateSizeExpression(text,
                                [&](absl::string_view name, int64_t index) {
                                  return Named(extents, name, index);
                                });
}

}  // namespace dovetail::vpu
