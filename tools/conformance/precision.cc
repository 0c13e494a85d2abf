#include "dovetail/tools/conformance/precision.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::conformance {
namespace {

bool IsLinear(const Node& node) {
  for (const absl::string_view type :
       {"Convolution", "MatMul", "Einsum", "LSTM", "GRU", "RNN"}) {
    if (absl::StrContains(node.op().type, type)) return true;
  }
  return false;
}

bool IsNarrow(const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    const ElementType type = node.port(i).type;
    if (type == ElementType::kBf16 || type == ElementType::kF16) return true;
  }
  return false;
}

// Of the model and its bodies.
struct Counts {
  int64_t linear = 0, narrow = 0;
};
void Count(const Model& model, Counts& counts) {
  for (const auto& node : model.nodes()) {
    if (IsLinear(*node)) ++counts.linear;
    if (IsNarrow(*node)) ++counts.narrow;
    for (const auto& body : node->bodies()) Count(*body->model, counts);
  }
}

// By how much of itself a number is rounded at most; 0 for f32.
double RoundingOf(absl::string_view type) {
  if (type == "bf16") return 0x1p-8;
  if (type == "f16") return 0x1p-11;
  return 0;
}

// The greatest of numbers that are finite.
double GreatestOf(const Tensor& tensor) {
  double greatest = 0;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = std::fabs(tensor.ElementAsDouble(i));
    if (std::isfinite(value)) greatest = std::max(greatest, value);
  }
  return greatest;
}

}  // namespace

Precision PrecisionOf(const CompiledModel& compiled) {
  const std::string type =
      compiled.GetProperty(properties::kInferencePrecisionHint).value_or("f32");
  const double rounding = RoundingOf(type);
  if (rounding == 0) return {};
  Counts counts;
  const Model* model = compiled.runtime_model();
  if (model != nullptr) Count(*model, counts);
  const int64_t layers = model == nullptr    ? 1
                         : counts.narrow > 0 ? counts.narrow
                                             : counts.linear;
  if (layers == 0) return {};
  constexpr double kFactors = 2, kDeviations = 3;
  return {type,
          kFactors * kDeviations * rounding *
              std::sqrt(static_cast<double>(layers)),
          counts.narrow > 0};
}

Tolerance WithPrecision(Tolerance tolerance, const Precision& precision,
                        const std::vector<Tensor>& want, size_t i) {
  if (precision.share == 0) return tolerance;
  // Where two classes are about as likely, either may win.
  tolerance.other_labels = std::max(tolerance.other_labels, precision.share);
  if (!IsFloat(want[i].type())) return tolerance;
  double greatest = 0;
  for (const Tensor& tensor : want) {
    const bool same =
        IsFloat(tensor.type()) && tensor.shape() == want[i].shape();
    if (same) greatest = std::max(greatest, GreatestOf(tensor));
  }
  tolerance.absolute += precision.share * greatest;
  return tolerance;
}

}  // namespace dovetail::conformance
