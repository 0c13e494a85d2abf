#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/transformations/decompose/signal/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::vector<NodeRule> BothFamilies() {
  const auto fourier = FourierDecompositions(), frames = FrameDecompositions();
  std::vector<NodeRule> rules(fourier.begin(), fourier.end());
  rules.insert(rules.end(), frames.begin(), frames.end());
  return rules;
}

const RuleCheck check(BothFamilies());

// A transform of data of that shape along axes, to sizes if there are any.
std::string Text(absl::string_view op, absl::string_view shape,
                 const std::vector<int>& axes,
                 const std::vector<int>& sizes = {}) {
  const auto list = [](const std::vector<int>& values) {
    return absl::StrCat("Constant-0() {value: i64[", values.size(), "] {",
                        absl::StrJoin(values, ", "), "}}\n");
  };
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n%a = ", list(axes), "%s = ",
                      list(sizes), "%y = ", op, "(%x, %a",
                      sizes.empty() ? "" : ", %s", ") {}\n",
                      "%r = Result-0(%y) {}");
}

TEST(FourierDecompositionsTest, Complex) {
  for (const std::string op : {"DFT", "IDFT"}) {
    const std::string version = op + "-7";
    check.ExpectReplaced(op, Text(version, "[5,2]", {0}));
    check.ExpectReplaced(op, Text(version, "[2,6,2]", {-1}));
    check.ExpectReplaced(op, Text(version, "[2,3,4,2]", {2, 0}));
    check.ExpectReplaced(op, Text(version, "[?,4,?,2]", {1}, {7}));
    check.ExpectReplaced(op, Text(version, "[4,6,2]", {0, 1}, {3, -1}));
  }
}

TEST(FourierDecompositionsTest, Real) {
  check.ExpectReplaced("RDFT", Text("RDFT-9", "[7]", {0}));
  check.ExpectReplaced("RDFT", Text("RDFT-9", "[2,8]", {-1}));
  check.ExpectReplaced("RDFT", Text("RDFT-9", "[3,4,?]", {1, 0}, {5, 2}));
  check.ExpectReplaced("IRDFT", Text("IRDFT-9", "[5,2]", {0}));
  check.ExpectReplaced("IRDFT", Text("IRDFT-9", "[3,5,2]", {0, 1}, {4, 9}));
  check.ExpectReplaced("IRDFT", Text("IRDFT-9", "[?,5,2]", {-1}, {6}));
  check.ExpectReplaced("IRDFT", Text("IRDFT-9", "[2,5,2]", {1}, {13}));
}

TEST(FourierDecompositionsTest, DeclinesWhatHasNoConstantMatrix) {
  check.ExpectDeclined("DFT", Text("DFT-7", "[?,4,2]", {0}));
  check.ExpectDeclined("DFT", Text("DFT-7", "[2,100000,2]", {1}));
  check.ExpectDeclined("RDFT", Text("RDFT-9", "[...]", {1}));
}

// Signals of that shape, or spectra, with a window of 6 elements.
std::string FramesText(absl::string_view op, absl::string_view shape, int size,
                       int step, absl::string_view rest = "",
                       absl::string_view attributes = "") {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape, R"(,
      element_type: f32}
    %w = Constant-0() {value: f32[6] {0.5, 0.75, 1, 1, 0.75, 0.25}}
    %s = Constant-0() {value: i64[] {)", size, R"(}}
    %t = Constant-0() {value: i64[] {)", step, R"(}}
    %l = Constant-0() {value: i64[] {17}}
    %y = )", op, "(%x, %w, %s, %t", rest, ") {", attributes,
                      "}\n%r = Result-0(%y) {}");
}

TEST(FrameDecompositionsTest, Stft) {
  check.ExpectReplaced("STFT", FramesText("STFT-15", "[20]", 8, 3));
  check.ExpectReplaced("STFT", FramesText("STFT-15", "[2,21]", 6, 6));
  check.ExpectReplaced("STFT", FramesText("STFT-15", "[?,15..30]", 7, 2, "",
                                          "transpose_frames: true"));
}

TEST(FrameDecompositionsTest, Istft) {
  check.ExpectReplaced("ISTFT", FramesText("ISTFT-16", "[5,4,2]", 8, 3));
  check.ExpectReplaced(
      "ISTFT", FramesText("ISTFT-16", "[?,4,3..9,2]", 7, 2, "",
                          "center: true"));
  check.ExpectReplaced("ISTFT",
                       FramesText("ISTFT-16", "[2,4,3,2]", 6, 7, ", %l",
                                  "normalized: true"));
  check.ExpectReplaced("ISTFT",
                       FramesText("ISTFT-16", "[2,5,6,2]", 8, 4, ", %l",
                                  "center: true"));
}

}  // namespace
}  // namespace dovetail
