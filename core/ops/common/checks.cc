#include "dovetail/core/ops/common/checks.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::Status WrongType(const InferContext& context, int input,
                       absl::string_view want) {
  return context.Error("input ", input, " has type ",
                       ElementTypeName(context.type(input)), ", want ", want);
}

absl::Status RequireClass(const InferContext& context, int input,
                          bool (*belongs)(ElementType),
                          absl::string_view name) {
  const ElementType type = context.type(input);
  if (type == ElementType::kDynamic || belongs(type)) return absl::OkStatus();
  return WrongType(context, input, name);
}

absl::Status WrongRank(const InferContext& context, int input,
                       absl::string_view want) {
  return context.Error("input ", input, " has shape ",
                       context.shape(input).ToString(), ", want ", want);
}

}  // namespace

absl::Status RequireType(const InferContext& context, int input,
                         ElementType type) {
  return RequireTypeIn(context, input, {type});
}

absl::Status RequireTypeIn(const InferContext& context, int input,
                           absl::Span<const ElementType> types) {
  const ElementType type = context.type(input);
  if (type == ElementType::kDynamic) return absl::OkStatus();
  std::string names;
  for (size_t i = 0; i < types.size(); ++i) {
    if (type == types[i]) return absl::OkStatus();
    const bool last = i + 1 == types.size();
    absl::StrAppend(&names, i == 0 ? "" : last ? " or " : ", ",
                    ElementTypeName(types[i]));
  }
  return WrongType(context, input, names);
}

absl::Status RequireFloat(const InferContext& context, int input) {
  return RequireClass(context, input, &IsFloat, "a floating-point type");
}

absl::Status RequireInteger(const InferContext& context, int input) {
  return RequireClass(context, input, &IsInteger, "an integer type");
}

absl::Status RequireNumeric(const InferContext& context, int input) {
  return RequireClass(
      context, input,
      [](ElementType type) { return IsFloat(type) || IsInteger(type); },
      "a numeric type");
}

absl::Status RequireBoolean(const InferContext& context, int input) {
  return RequireType(context, input, ElementType::kBoolean);
}

absl::Status RequireIndex(const InferContext& context, int input) {
  return RequireTypeIn(context, input,
                       {ElementType::kI32, ElementType::kI64});
}

absl::StatusOr<ElementType> RequireSameType(const InferContext& context,
                                            int first, int last) {
  std::vector<int> inputs;
  for (int i = first; i <= last; ++i) inputs.push_back(i);
  return RequireSameType(context, inputs);
}

absl::StatusOr<ElementType> RequireSameType(const InferContext& context,
                                            absl::Span<const int> inputs) {
  ElementType type = ElementType::kDynamic;
  int from = -1;
  for (int input : inputs) {
    if (!context.has_input(input)) continue;
    const ElementType own = context.type(input);
    if (own == ElementType::kDynamic) continue;
    if (from >= 0 && own != type) {
      return WrongType(
          context, input,
          absl::StrCat(ElementTypeName(type), " as input ", from, " has"));
    }
    if (from < 0) from = input;
    type = own;
  }
  return type;
}

absl::Status RequireRank(const InferContext& context, int input, int rank) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape.rank() == rank) return absl::OkStatus();
  return WrongRank(context, input, absl::StrCat("rank ", rank));
}

absl::Status RequireRankBetween(const InferContext& context, int input,
                                int min, int max) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || (shape.rank() >= min && shape.rank() <= max)) {
    return absl::OkStatus();
  }
  return WrongRank(context, input, absl::StrCat("rank ", min, " to ", max));
}

absl::Status RequireRankAtLeast(const InferContext& context, int input,
                                int min) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape.rank() >= min) return absl::OkStatus();
  return WrongRank(context, input, absl::StrCat("rank ", min, " or more"));
}

absl::Status RequireSingleElement(const InferContext& context, int input) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape.rank() == 0) return absl::OkStatus();
  if (shape.rank() == 1 && shape[0].Contains(1)) return absl::OkStatus();
  return WrongRank(context, input, "a single element");
}

absl::StatusOr<Dimension> RequireSameDimension(const InferContext& context,
                                               int input_a, int axis_a,
                                               int input_b, int axis_b,
                                               absl::string_view meaning) {
  const PartialShape& a = context.shape(input_a);
  const PartialShape& b = context.shape(input_b);
  const Dimension dim_a = a.rank_known() ? a[axis_a] : Dimension();
  const Dimension dim_b = b.rank_known() ? b[axis_b] : Dimension();
  const std::optional<Dimension> both = Intersect(dim_a, dim_b);
  if (both.has_value()) return *both;
  return context.Error("input ", input_b, " has ", dim_b.ToString(), " as ",
                       meaning, ", want ", dim_a.ToString(), " as input ",
                       input_a, " has");
}

}  // namespace dovetail
