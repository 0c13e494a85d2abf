#include "dovetail/testing/graphs/random_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/parse.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
  double low, high;
};

Range RangeOf(ElementType type, bool is_small) {
  switch (type) {
    case ElementType::kU8:
      return {0, 255};
    case ElementType::kI8:
      return is_small ? Range{-64, 64} : Range{-128, 127};
    case ElementType::kU2:
      return {0, 3.9};
    case ElementType::kI2:
      return {-2.9, 1.9};
    case ElementType::kNf4:
      return {-1, 1};
    case ElementType::kF4E2M1:
      return {-6, 6};
    case ElementType::kF8E8M0:
      return {0.1, 2};
    case ElementType::kF32:
    case ElementType::kF16:
    case ElementType::kBf16:
      return is_small ? Range{-0.125, 0.125} : Range{-2, 2};
    default:
      return {0, 5};
  }
}

absl::StatusOr<Tensor> ReadOnly(const Tensor& tensor) {
  return Tensor::Share(tensor.type(), tensor.shape(), tensor.raw_data(),
                       tensor.byte_size(), std::make_shared<Tensor>(tensor));
}

}  // namespace

absl::StatusOr<Tensor> RandomTensor(ElementType type, const Shape& shape,
                                    std::mt19937& generator, bool is_small) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, Tensor::Allocate(type, shape));
  const Range range = RangeOf(type, is_small);
  std::uniform_real_distribution<double> values(range.low, range.high);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    tensor.SetElement(i, values(generator));
  }
  return tensor;
}

absl::Status MakeConstants(Model& model, std::mt19937& generator) {
  const std::vector<Node*> parameters = model.parameters();
  for (Node* parameter : parameters) {
    if (!absl::StartsWith(parameter->name(), "constant")) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              parameter->port().shape.ToShape());
    auto attributes = std::make_unique<ConstantAttributes>();
    DOVETAIL_ASSIGN_OR_RETURN(
        attributes->value,
        RandomTensor(parameter->port().type, shape, generator,
                     absl::StrContains(parameter->name(), "small")));
    if (absl::StrContains(parameter->name(), "read_only")) {
      DOVETAIL_ASSIGN_OR_RETURN(attributes->value, ReadOnly(attributes->value));
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        Node* const constant,
        model.Add(*FindOp("Constant-0"), {}, std::move(attributes)));
    model.ReplaceUses(parameter->output(), constant->output());
    model.RemoveNode(parameter);
  }
  return model.Infer();
}

absl::StatusOr<Model> ParseWithConstants(absl::string_view text) {
  DOVETAIL_ASSIGN_OR_RETURN(Model model, ParseModelText(text));
  std::mt19937 generator(1);
  DOVETAIL_RETURN_IF_ERROR(MakeConstants(model, generator));
  return model;
}

std::vector<Tensor> RandomInputs(const Model& model,
                                 absl::Span<const Shape> shapes,
                                 unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ElementType type = model.parameters()[i]->port().type;
    inputs.push_back(RandomTensor(type, shapes[i], generator).value());
  }
  return inputs;
}

double DifferenceOf(const Tensor& got, const Tensor& want) {
  if (got.type() != want.type() || got.shape() != want.shape()) {
    return kInfinity;
  }
  double greatest = 1, difference = 0;
  for (int64_t i = 0; i < want.element_count(); ++i) {
    const double a = got.ElementAsDouble(i), b = want.ElementAsDouble(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return kInfinity;
    difference = std::max(difference, std::abs(a - b));
    greatest = std::max(greatest, std::abs(b));
  }
  return difference / greatest;
}

std::string FirstDifference(absl::Span<const Tensor> got,
                            absl::Span<const Tensor> want, double tolerance) {
  for (size_t i = 0; i < want.size(); ++i) {
    const double difference = DifferenceOf(got[i], want[i]);
    if (difference <= tolerance) continue;
    return absl::StrCat("output ", i, " is ", got[i].ToString(), ", should be ",
                        want[i].ToString(), ", difference ", difference);
  }
  return "";
}

}  // namespace dovetail
