#include "dovetail/backends/gpu/testing/coded_weights.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace dovetail::gpu {
namespace {

// Statements that make %w.
std::string WeightsText(const CodedWeights& weights) {
  std::string text = absl::Substitute(
      R"(
      %codes = Parameter-0() {shape: [$0], element_type: $1}  # constant
      %floats = Convert-0(%codes) {destination_type: f32}
      %scales = Parameter-0() {shape: [$2], element_type: f32}  # constant small
      )",
      weights.shape, weights.type, weights.scales);
  const bool has_zeros = !weights.zeros.empty();
  if (has_zeros) {
    absl::SubstituteAndAppend(&text, R"(
      %zeros = Parameter-0() {shape: [$0], element_type: $1}  # constant
      %shifts = Convert-0(%zeros) {destination_type: f32}
      %shifted = Subtract-1(%floats, %shifts) {}
      )",
                              weights.zeros, weights.type);
  }
  absl::SubstituteAndAppend(&text, R"(
      %w = Multiply-1(%$0, %scales) {}
      )",
                            has_zeros ? "shifted" : "floats");
  return text;
}

}  // namespace

std::string ModelWithCodedWeights(absl::string_view data,
                                  const CodedWeights& weights,
                                  absl::string_view layer) {
  return absl::StrCat("%x = Parameter-0() {shape: [", data,
                      "], element_type: f32}\n", WeightsText(weights), layer,
                      R"(
      %relu = Relu-0(%y) {}
      %result = Result-0(%relu) {}
      )");
}

}  // namespace dovetail::gpu
