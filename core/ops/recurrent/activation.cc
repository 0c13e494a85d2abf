#include "dovetail/core/ops/recurrent/activation.h"

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

std::optional<CellFunction> FunctionCalled(absl::string_view name) {
  if (absl::EqualsIgnoreCase(name, "sigmoid")) return CellFunction::kSigmoid;
  if (absl::EqualsIgnoreCase(name, "tanh")) return CellFunction::kTanh;
  if (absl::EqualsIgnoreCase(name, "relu")) return CellFunction::kRelu;
  if (absl::EqualsIgnoreCase(name, "hardsigmoid")) {
    return CellFunction::kHardSigmoid;
  }
  return std::nullopt;
}

double At(const std::vector<double>& values, size_t i, double fallback) {
  return i < values.size() ? values[i] : fallback;
}

}  // namespace

absl::StatusOr<std::vector<CellActivation>> CellActivations(
    const CellAttributes& attributes, int count) {
  const std::vector<std::string>& names = attributes.activations;
  if (static_cast<int>(names.size()) != count) {
    return InvalidArgument("attribute activations has ", names.size(),
                           " names, want ", count);
  }
  std::vector<CellActivation> activations;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::optional<CellFunction> function = FunctionCalled(names[i]);
    if (!function.has_value()) {
      return InvalidArgument("attribute activations: '", names[i],
                             "' is none of sigmoid, tanh, relu, hardsigmoid");
    }
    activations.push_back({*function,
                           At(attributes.activations_alpha, i, 0.2),
                           At(attributes.activations_beta, i, 0.5)});
  }
  return activations;
}

}  // namespace dovetail
