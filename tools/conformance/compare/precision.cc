#include "dovetail/tools/conformance/compare/precision.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

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

// Whether a device that quantizes activations multiplies the node's as bytes.
bool IsQuantized(const Node& node) {
  const auto weights = MatchCompressedWeights(node);
  return weights.has_value() && !IsCodeBook(weights->constant.type());
}

// Of the model and its bodies.
struct Counts {
  int64_t linear = 0, narrow = 0, quantized = 0, all = 0;
};
void Count(const Model& model, Counts& counts) {
  for (const auto& node : model.nodes()) {
    if (IsLinear(*node)) ++counts.linear;
    if (IsNarrow(*node)) ++counts.narrow;
    if (IsQuantized(*node)) ++counts.quantized;
    if (!node->op().Has(kStructural)) ++counts.all;
    for (const auto& body : node->bodies()) Count(*body->model, counts);
  }
}

// What the numbers of one operation may be off by; 0 for f32.
double ShareOf(const std::string& type, const DeviceExceptions& exceptions) {
  if (const auto it = exceptions.tolerance.find(type);
      it != exceptions.tolerance.end()) {
    return it->second;
  }
  constexpr double kFactors = 2, kDeviations = 3;
  if (type == "bf16") return kFactors * kDeviations * 0x1p-8;
  if (type == "f16") return kFactors * kDeviations * 0x1p-11;
  // One factor: half of a step is 2^-8 of a group's greatest number, and of
  // others twice as much.
  if (type == "i8") return kFactors * kDeviations * 0x1p-8;
  return 0;
}

// Of a model of f32 whose activations are quantized where weights are
// compressed.
Precision PrecisionOfQuantized(const CompiledModel& compiled,
                               const DeviceExceptions& exceptions) {
  const std::string size =
      compiled.GetProperty(properties::kDynamicQuantizationGroupSize)
          .value_or("0");
  const Model* model = compiled.runtime_model();
  if (size == "0" || model == nullptr) return {};
  Counts counts;
  Count(*model, counts);
  if (counts.quantized == 0) return {};
  const std::string type = "i8";
  return {type, ShareOf(type, exceptions) *
                    std::sqrt(static_cast<double>(counts.quantized))};
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

Precision PrecisionOf(const CompiledModel& compiled,
                      const DeviceExceptions& exceptions) {
  const std::string type =
      exceptions.computes.empty()
          ? compiled.GetProperty(properties::kInferencePrecisionHint)
                .value_or("f32")
          : exceptions.computes;
  const double share = ShareOf(type, exceptions);
  if (share == 0) {
    return type == "f32" ? PrecisionOfQuantized(compiled, exceptions)
                         : Precision{.type = type};
  }
  Counts counts;
  const bool all = !exceptions.computes.empty() || exceptions.stores == type;
  const Model* model = compiled.runtime_model();
  if (model != nullptr) Count(*model, counts);
  const int64_t layers = model == nullptr    ? 1
                         : all               ? counts.all
                         : counts.narrow > 0 ? counts.narrow
                                             : counts.linear;
  if (layers == 0 && !all) return {};
  return {type,
          share * std::sqrt(static_cast<double>(std::max<int64_t>(1, layers))),
          counts.narrow > 0 || (all && type == exceptions.stores)};
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
