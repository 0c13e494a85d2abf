// Model::Reshape and Model::SetBatch.
#include <optional>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

using InputShapes = std::map<int, PartialShape>;

absl::StatusOr<InputShapes> ByIndex(
    const Model& model, const std::map<std::string, PartialShape>& shapes) {
  InputShapes by_index;
  for (const auto& [name, shape] : shapes) {
    DOVETAIL_ASSIGN_OR_RETURN(const int i, model.FindInput(name));
    const auto [entry, is_new] = by_index.emplace(i, shape);
    if (!is_new && entry->second != shape) {
      return InvalidArgument(
          "input '", model.InputName(i),
          "' is given two shapes: ", entry->second.ToString(), " and ",
          shape.ToString());
    }
  }
  return by_index;
}

absl::Status Apply(Model& model, const InputShapes& shapes) {
  for (const auto& [i, shape] : shapes) {
    Node& node = *model.parameters()[i];
    auto* attributes = node.As<ParameterAttributes>();
    if (attributes == nullptr) {
      return Internal(node.Describe(), ": has no shape attribute");
    }
    attributes->shape = shape;
  }
  return model.Infer();
}

// The axis called N in a layout such as "[N,C,H,W]", "NCHW" or "[...,N]",
// negative when counted from the end; nothing when there is no N.
std::optional<int> BatchAxis(absl::string_view layout) {
  std::vector<std::string> axes;
  absl::ConsumePrefix(&layout, "[");
  if (absl::ConsumeSuffix(&layout, "]")) {
    axes = absl::StrSplit(layout, ',');
  } else {
    for (size_t i = 0; i < layout.size(); ++i) {
      const bool dots = layout.substr(i, 3) == "...";
      axes.emplace_back(layout.substr(i, dots ? 3 : 1));
      if (dots) i += 2;
    }
  }
  bool after_dots = false;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == "N" || axes[i] == "n") {
      return static_cast<int>(i) -
             (after_dots ? static_cast<int>(axes.size()) : 0);
    }
    if (axes[i] == "...") after_dots = true;
  }
  return std::nullopt;
}

// The layout that the model notes of an input; null when it notes none.
const std::string* LayoutOf(const Node& parameter) {
  constexpr absl::string_view kPath[] = {"layout_0", "layout"};
  if (parameter.output_count() > 0) {
    if (const auto* layout = parameter.port().rt_info.Find(kPath)) {
      return layout;
    }
  }
  return parameter.rt_info().Find(kPath);
}

absl::StatusOr<PartialShape> WithBatch(const Model& model, int input,
                                       const Dimension& batch) {
  const Node& node = *model.parameters()[input];
  PartialShape shape = Value{model.parameters()[input], 0}.shape();
  const std::string* layout = LayoutOf(node);
  int axis = 0;
  if (layout != nullptr) axis = BatchAxis(*layout).value_or(0);
  if (shape.rank_known() && axis < 0) axis += shape.rank();
  if (!shape.rank_known() || axis < 0 || axis >= shape.rank()) {
    return InvalidArgument("input '", model.InputName(input), "' of shape ",
                           shape.ToString(), " has no batch dimension");
  }
  shape[axis] = batch;
  return shape;
}

}  // namespace

absl::Status Model::Reshape(const std::map<std::string, PartialShape>& shapes) {
  DOVETAIL_ASSIGN_OR_RETURN(const InputShapes by_index, ByIndex(*this, shapes));
  return ReshapeByIndex(by_index);
}

absl::Status Model::ReshapeByIndex(const std::map<int, PartialShape>& shapes) {
  if (!shapes.empty()) {
    const int first = shapes.begin()->first, last = shapes.rbegin()->first;
    const int count = static_cast<int>(parameters_.size());
    if (first < 0 || last >= count) {
      return NotFound("no input ", first < 0 ? first : last, "; the model has ",
                      count);
    }
  }
  // Inference writes to bodies too, so an undo would have to know all that the
  // operations may do; a trial run on a copy does not.
  DOVETAIL_RETURN_IF_ERROR(Apply(*Clone(), shapes));
  return Apply(*this, shapes);
}

absl::Status Model::SetBatch(const Dimension& batch) {
  InputShapes shapes;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(shapes[i],
                              WithBatch(*this, static_cast<int>(i), batch));
  }
  return ReshapeByIndex(shapes);
}

}  // namespace dovetail
