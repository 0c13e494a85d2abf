#include "dovetail/extensions/ir/reader/legacy/broadcast_axis.h"

#include <cstdint>
#include <numeric>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::ir {
namespace {

// Nothing real has more axes.
constexpr int64_t kMaxAxes = 64;

// The axis that the layer names; 0, which changes nothing, when it names none.
absl::StatusOr<int64_t> AxisOf(const Layer& layer) {
  const pugi::xml_node data = layer.xml.child("data");
  const absl::string_view mode = data.attribute("auto_broadcast").value();
  const auto attribute = data.attribute("auto_broadcast.auto_broadcast_axis");
  if (mode != "pdpd" || !attribute) return 0;
  int64_t axis;
  if (absl::SimpleAtoi(attribute.value(), &axis) && axis >= -1 &&
      axis <= kMaxAxes) {
    return axis;
  }
  return layer.Error(absl::StrCat("attribute '", attribute.name(), "': '",
                                  attribute.value(), "', want -1 to ",
                                  kMaxAxes));
}

absl::StatusOr<Value> Unsqueezed(Model* model, Value value, int64_t count) {
  std::vector<int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor tensor, Tensor::FromValues<int64_t>(Shape({count}), axes));
  DOVETAIL_ASSIGN_OR_RETURN(Node* const constant, AddConstant(*model, tensor));
  const OpInfo& op = *FindOp("Unsqueeze-0");
  DOVETAIL_ASSIGN_OR_RETURN(
      Node* const node,
      model->Add(op, {value, constant->output()}, op.make_attributes(),
                 absl::StrCat(value.node->name(), "/aligned")));
  return node->output();
}

}  // namespace

absl::Status AlignToBroadcastAxis(const Layer& layer, Model* model,
                                  std::vector<Value>* inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t axis, AxisOf(layer));
  if (axis == 0) return absl::OkStatus();
  // Select broadcasts its condition and the second of its choices.
  const int fixed = layer.Is("Select") ? 1 : 0;
  for (int i = 0; i < static_cast<int>(inputs->size()); ++i) {
    if (i == fixed) continue;
    int64_t count = axis;
    if (axis == -1) {
      const PartialShape& whole = (*inputs)[fixed].shape();
      const PartialShape& part = (*inputs)[i].shape();
      if (!whole.rank_known() || !part.rank_known()) {
        return layer.Error("broadcasts at axis -1, and ranks are not known");
      }
      count = whole.rank() - part.rank();
    }
    if (count <= 0) continue;
    DOVETAIL_ASSIGN_OR_RETURN((*inputs)[i],
                              Unsqueezed(model, (*inputs)[i], count));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::ir
