#include "dovetail/backends/batch/proof/rows_of_node.h"

#include "absl/strings/str_cat.h"

namespace dovetail::batch {
namespace {

int64_t Extent(const PartialShape& shape, int axis) {
  return shape[axis].value();
}

// What `shape` has at an axis that is so far from the end; 1 where it ends.
int64_t ExtentFromEnd(const PartialShape& shape, int from_end) {
  return from_end < shape.rank() ? Extent(shape, shape.rank() - 1 - from_end)
                                 : 1;
}

}  // namespace

const PartialShape& ShapeOfInput(const RowsOfNode& rows, int i) {
  return rows.node->input(i).shape();
}

std::optional<std::vector<int64_t>> Integers(const RowsOfNode& rows, int i) {
  if (rows.is_shape[i]) return std::nullopt;
  const auto& value = rows.node->input(i).port().value;
  if (!value.has_value()) return std::nullopt;
  return value->ToInt64();
}

int64_t ProductBefore(const PartialShape& shape, int axis) {
  int64_t product = 1;
  for (int i = 0; i < axis; ++i) product *= Extent(shape, i);
  return product;
}

bool KeepsExtent(const RowsOfNode& rows) {
  return Extent(ShapeOfInput(rows, 0), rows.inputs[0]) ==
         Extent(rows.node->port().shape, rows.outputs[0]);
}

std::string MixesAlong(int axis) {
  return absl::StrCat("works along axis ", axis, ", which its rows lie along");
}

std::string NeedsKnown(int input) {
  return absl::StrCat("has an input ", input,
                      " that is not known before it runs");
}

std::string AwayFrom(const RowsOfNode& rows, int64_t axis) {
  if (axis < 0) axis += ShapeOfInput(rows, 0).rank();
  return axis == rows.inputs[0] ? MixesAlong(rows.inputs[0]) : "";
}

std::string AwayFromInput(const RowsOfNode& rows, int i) {
  if (i >= rows.node->input_count()) return "has no axes to go by";
  const auto axes = Integers(rows, i);
  if (!axes.has_value()) return NeedsKnown(i);
  for (const int64_t axis : *axes) {
    std::string why = AwayFrom(rows, axis);
    if (!why.empty()) return why;
  }
  return "";
}

std::string OnlyFirstAreRows(const RowsOfNode& rows, int first) {
  for (int i = first; i < rows.node->input_count(); ++i) {
    if (rows.inputs[i] != kNoAxis) {
      return absl::StrCat("has an input ", i, " that differs from row to row");
    }
  }
  return rows.inputs[0] == kNoAxis ? "has rows in an input beside the first"
                                   : "";
}

std::string Aligned(const RowsOfNode& rows, int from_end) {
  for (int i = 0; i < rows.node->input_count(); ++i) {
    const PartialShape& shape = ShapeOfInput(rows, i);
    if (rows.inputs[i] == kNoAxis) {
      if (ExtentFromEnd(shape, from_end) != 1) {
        return absl::StrCat("has an input ", i, " of shape ", shape.ToString(),
                            ", which has something for each row");
      }
    } else if (shape.rank() - 1 - rows.inputs[i] != from_end) {
      return "has rows along different axes";
    }
  }
  return "";
}

}  // namespace dovetail::batch
