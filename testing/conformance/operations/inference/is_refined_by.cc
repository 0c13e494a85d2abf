#include "dovetail/testing/conformance/operations/inference/is_refined_by.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {
namespace {

bool Allows(ElementType less, ElementType more) {
  return less == more || less == ElementType::kDynamic;
}

bool Allows(const PartialShape& less, const PartialShape& more) {
  if (!less.rank_known()) return true;
  return more.rank_known() &&
         std::equal(less.begin(), less.end(), more.begin(), more.end(),
                    [](const Dimension& a, const Dimension& b) {
                      return a.min() <= b.min() && b.max() <= a.max();
                    });
}

bool Allows(const std::optional<ValueRange>& less,
            const std::optional<ValueRange>& more) {
  if (!less.has_value()) return true;
  return more.has_value() &&
         std::equal(
             less->elements().begin(), less->elements().end(),
             more->elements().begin(), more->elements().end(),
             [](const ValueRange::Interval& a, const ValueRange::Interval& b) {
               // Not the other way round: NaN may be a bound.
               return !(a.lower > b.lower) && !(a.upper < b.upper);
             });
}

// "f32[2,?] {1..2, 3..3}"
std::string PortText(const OutputPort& port) {
  std::string text =
      absl::StrCat(ElementTypeName(port.type), port.shape.ToString());
  if (!port.value.has_value()) return text;
  std::string values;
  for (const ValueRange::Interval& element : port.value->elements()) {
    absl::StrAppend(&values, values.empty() ? "" : ", ", element.lower, "..",
                    element.upper);
  }
  return absl::StrCat(text, " {", values, "}");
}

}  // namespace

absl::Status IsRefinedBy(const OutputPort& less, const OutputPort& more) {
  if (Allows(less.type, more.type) && Allows(less.shape, more.shape) &&
      Allows(less.value, more.value)) {
    return absl::OkStatus();
  }
  return InvalidArgument("where less is known: ", PortText(less),
                         ", where more is: ", PortText(more));
}

absl::Status IsRefinedBy(const Model& less, const Model& more) {
  if (less.node_count() != more.node_count()) {
    return InvalidArgument("the models have other nodes");
  }
  for (size_t n = 0; n < less.node_count(); ++n) {
    const Node& a = *less.nodes()[n];
    const Node& b = *more.nodes()[n];
    // VariadicSplit may have further outputs, which nobody reads.
    const int outputs = std::min(a.output_count(), b.output_count());
    for (int i = 0; i < outputs; ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(IsRefinedBy(a.port(i), b.port(i)),
                   absl::StrCat(a.Describe(), ": output ", i)));
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
