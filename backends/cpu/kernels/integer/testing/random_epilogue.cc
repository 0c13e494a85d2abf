#include "dovetail/backends/cpu/kernels/integer/testing/random_epilogue.h"

#include <algorithm>
#include <cmath>

namespace dovetail::cpu {
namespace {

using Activation = IntegerEpilogue::Activation;
constexpr float kBeta = 1.5f;

double Activate(Activation activation, double x) {
  switch (activation) {
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kSwish:
      return x / (1 + std::exp(-kBeta * x));
    case Activation::kHSwish:
      return x * std::clamp<double>(x + 3, 0, 6) / 6;
    case Activation::kGelu:
      return x * std::erfc(-x * std::sqrt(0.5)) / 2;
    case Activation::kGeluTanh:
      return x *
             (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))) /
             2;
    case Activation::kNone:
      break;
  }
  return x;
}

constexpr float kGridStep = 0.0625f;
constexpr float kOutputScale = 80;

double HighestOf(ElementType type) {
  return type == ElementType::kU8 ? 255 : 127;
}
double LowestOf(ElementType type) {
  return type == ElementType::kU8 ? 0 : -128;
}

}  // namespace

RandomEpilogue::RandomEpilogue(const EpilogueCase& c, int64_t channels,
                               int64_t taps, std::mt19937& generator)
    : case_(c) {
  MakeNumbers(channels, taps, generator);
  epilogue_.scale = scale_.data();
  epilogue_.bias = bias_.data();
  if (c.has_slope) epilogue_.slope = slope_.data();
  epilogue_.has_grid = c.has_grid;
  epilogue_.grid = {.scale = 1 / kGridStep,
                    .shift = 17,
                    .low = 3,
                    .high = 50,
                    .step = kGridStep,
                    .offset = -1.5f};
  epilogue_.activation = c.activation;
  epilogue_.beta = kBeta;
  epilogue_.residual_type = c.residual_type;
  if (c.residual_type != ElementType::kF32) {
    epilogue_.residual_scale = 0.01f;
    epilogue_.residual_shift = -0.5f;
  }
  epilogue_.low = -1.5f;
  epilogue_.high = 2.25f;
  epilogue_.output_type = c.output_type;
  epilogue_.output_scale = output_scale_.data();
  epilogue_.output_shift = output_shift_.data();
  epilogue_.output_low = -100;
  epilogue_.output_high = 200;
}

void RandomEpilogue::MakeNumbers(int64_t channels, int64_t taps,
                                 std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  const float reach = 4e4f * std::sqrt(static_cast<float>(taps));
  const float shift = case_.output_type == ElementType::kU8 ? 100 : -5;
  for (int64_t i = 0; i < channels; ++i) {
    scale_.push_back((2 + values(generator)) / reach);
    bias_.push_back(values(generator));
    slope_.push_back(values(generator));
    output_scale_.push_back(kOutputScale + values(generator));
    output_shift_.push_back(shift + values(generator));
  }
}

double RandomEpilogue::Result(double sum, int64_t channel,
                              double residual) const {
  const IntegerEpilogue& e = epilogue_;
  double number = sum * scale_[channel] + bias_[channel];
  const auto round = [&](double x) {
    const double q = std::nearbyint(std::clamp<double>(
        x * e.grid.scale + e.grid.shift, e.grid.low, e.grid.high));
    return q * e.grid.step + e.grid.offset;
  };
  const bool is_activated = case_.activation != Activation::kNone;
  if (case_.has_grid && !is_activated) number = round(number);
  if (case_.has_residual) {
    number += residual * e.residual_scale + e.residual_shift;
  }
  number = Activate(case_.activation, number);
  if (case_.has_grid && is_activated) number = round(number);
  if (case_.has_slope && number < 0) number *= slope_[channel];
  number = std::clamp<double>(number, e.low, e.high);
  if (case_.output_type == ElementType::kF32) return number;
  return std::clamp(
      number * output_scale_[channel] + output_shift_[channel],
      std::max<double>(LowestOf(case_.output_type), e.output_low),
      std::min<double>(HighestOf(case_.output_type), e.output_high));
}

double RandomEpilogue::tolerance() const {
  return case_.output_type == ElementType::kF32 ? 2e-6 : 0.501;
}

bool RandomEpilogue::IsResult(double got, double result) const {
  return std::abs(got - result) <= tolerance();
}

bool RandomEpilogue::IsNearResult(double got, double result) const {
  const bool is_float = case_.output_type == ElementType::kF32;
  const double step = kGridStep * (is_float ? 1 : kOutputScale + 1);
  return std::abs(got - result) <= tolerance() + (case_.has_grid ? step : 0);
}

}  // namespace dovetail::cpu
