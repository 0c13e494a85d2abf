#include "dovetail/testing/conformance/mutation/device/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/testing/conformance/mutation/limited_run.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// How often the reference is asked for an answer to other inputs, and how much
// more than its answers differ an element may be off.
constexpr int kProbes = 4;
constexpr double kProbeFactor = 4;

// What a few roundings make, as a part of a number.
double RoundingOf(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return 0x1p-9;
    case ElementType::kBf16:
      return 0x1p-6;
    case ElementType::kF32:
    case ElementType::kF64:
      return 0x1p-18;
    default:
      return IsFloat(type) ? 0x1p-2 : 0;
  }
}

double Difference(const Tensor& a, const Tensor& b, int64_t i) {
  if (a.type() == ElementType::kString) {
    return a.data<std::string>()[i] == b.data<std::string>()[i] ? 0 : kInfinity;
  }
  const double x = a.ElementAsDouble(i), y = b.ElementAsDouble(i);
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return kInfinity;
  return std::abs(x - y);
}

// At least 1, which is what numbers in between are like.
double GreatestOf(const Tensor& tensor) {
  double greatest = 1;
  if (!IsFloat(tensor.type())) return greatest;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = std::abs(tensor.ElementAsDouble(i));
    if (std::isfinite(value)) greatest = std::max(greatest, value);
  }
  return greatest;
}

// That of the coarsest floats in a model: where a device computes with finer
// ones, it does not round as often.
double RoundingOf(const Model& model) {
  double rounding = 0;
  for (const auto& node : model.nodes()) {
    for (int i = 0; i < node->output_count(); ++i) {
      rounding = std::max(rounding, RoundingOf(node->port(i).type));
    }
    for (const auto& body : node->bodies()) {
      rounding = std::max(rounding, RoundingOf(*body->model));
    }
  }
  return rounding;
}

// Some of the elements a few roundings up or down, of `least` at least.
Tensor Nudged(Random& random, const Tensor& tensor, double least) {
  auto nudged = tensor.Clone();
  if (!nudged.ok() || !IsFloat(tensor.type())) return tensor;
  const double rounding = std::max(least, RoundingOf(tensor.type())) / 4;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const auto direction = static_cast<double>(random.Below(3)) - 1;
    nudged->SetElement(i,
                       tensor.ElementAsDouble(i) * (1 + direction * rounding));
  }
  return *std::move(nudged);
}

Subject Nudged(Random& random, const Subject& subject, double least) {
  Subject nudged = subject.Clone();
  for (Tensor& input : nudged.inputs) input = Nudged(random, input, least);
  for (const auto& node : nudged.model->nodes()) {
    auto* constant = node->As<ConstantAttributes>();
    if (constant == nullptr) continue;
    constant->value = Nudged(random, constant->value, least);
  }
  return nudged;
}

// By how much each element of an output may be off.
class Allowance {
 public:
  // Numbers whose size is above `limit`, where there is one, may be anything,
  // and so may what numbers that are rounded decide.
  Allowance(const Tensor& want, double rounding, double limit)
      : want_(want),
        allowed_(want.element_count(),
                 IsFloat(want.type()) ? rounding * GreatestOf(want) : 0) {
    if (!IsFloat(want.type())) {
      if (limit < kInfinity) allowed_.assign(allowed_.size(), kInfinity);
      return;
    }
    for (size_t i = 0; i < allowed_.size(); ++i) {
      const double size =
          std::abs(want.ElementAsDouble(static_cast<int64_t>(i)));
      if (size > limit) allowed_[i] = kInfinity;
    }
  }

  void Probe(const Tensor& nudged) {
    any_shape_ = any_shape_ || nudged.shape() != want_.shape();
    if (any_shape_) return;
    for (size_t i = 0; i < allowed_.size(); ++i) {
      const double change = Difference(nudged, want_, static_cast<int64_t>(i));
      allowed_[i] = std::max(allowed_[i], kProbeFactor * change);
    }
  }

  // "" or the first element that is too far off.
  std::string Check(const Tensor& got) const {
    if (got.type() != want_.type()) return "another type";
    if (any_shape_) return "";
    if (got.shape() != want_.shape()) return "another shape";
    for (size_t i = 0; i < allowed_.size(); ++i) {
      const double difference = Difference(got, want_, static_cast<int64_t>(i));
      if (difference <= allowed_[i]) continue;
      return absl::StrCat("element ", i, " is off by ", difference, ", ",
                          allowed_[i], " is allowed");
    }
    return "";
  }

 private:
  const Tensor& want_;
  bool any_shape_ = false;
  std::vector<double> allowed_;
};

std::string Check(const std::vector<Allowance>& allowances,
                  const std::vector<Tensor>& got,
                  const std::vector<Tensor>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    const std::string wrong = allowances[i].Check(got[i]);
    if (wrong.empty()) continue;
    return absl::StrCat("output ", i, " is ", got[i].ToString(20),
                        ", should be ", want[i].ToString(20), ": ", wrong);
  }
  return "";
}

}  // namespace

std::string Disagreement(const Subject& subject, const std::vector<Tensor>& got,
                         const std::vector<Tensor>& want, bool computes_f16) {
  // Half of the greatest f16, as intermediate sums may be larger.
  const double limit = computes_f16 ? 32752 : kInfinity;
  const double least = computes_f16 ? RoundingOf(ElementType::kF16) : 0;
  const double rounding = std::max(least, RoundingOf(*subject.model));
  std::vector<Allowance> allowances;
  for (const Tensor& tensor : want) {
    allowances.emplace_back(tensor, rounding, limit);
  }
  std::string wrong = Check(allowances, got, want);
  Random random(1);
  for (int probe = 0; probe < kProbes && !wrong.empty(); ++probe) {
    const Subject nudged = Nudged(random, subject, least);
    if (!nudged.model->Infer().ok()) return "";
    const LimitedOutputs outputs = RunLimited(*nudged.model, nudged.inputs);
    if (!outputs.ok()) return "";
    for (size_t i = 0; i < want.size(); ++i) {
      allowances[i].Probe((*outputs)[i]);
    }
    wrong = Check(allowances, got, want);
  }
  return wrong;
}

}  // namespace dovetail
