#include "dovetail/backends/gpu/testing/coded_weights.h"

#include "absl/strings/substitute.h"

namespace dovetail::gpu {

std::string WeightsText(const CodedWeights& weights, absl::string_view result) {
  std::string text = absl::Substitute(
      R"(
      %q = Parameter-0() {shape: [$0], element_type: $1}  # constant
      %c = Convert-0(%q) {destination_type: f32}
      %s = Parameter-0() {shape: [$2], element_type: f32}  # constant small
      )",
      weights.shape, weights.type, weights.scales);
  const bool has_zeros = !weights.zeros.empty();
  if (has_zeros) {
    absl::SubstituteAndAppend(&text, R"(
      %y = Parameter-0() {shape: [$0], element_type: $1}  # constant
      %z = Convert-0(%y) {destination_type: f32}
      %d = Subtract-1(%c, %z) {}
      )",
                              weights.zeros, weights.type);
  }
  absl::SubstituteAndAppend(&text, R"(
      %$0 = Multiply-1(%$1, %s) {}
      )",
                            result, has_zeros ? "d" : "c");
  return text;
}

}  // namespace dovetail::gpu
