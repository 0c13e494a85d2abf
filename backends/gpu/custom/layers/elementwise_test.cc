// Layers that compute element by element: two cosh, a weighted sum, a sum
// times a third input, a sum of 13 inputs and padding by the nearest pixel.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

std::string CoshModel(const std::string& shape) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n%y = Cosh-0(%x) {}\n"
                      "%o = Result-0(%y) {}\n");
}

void ExpectCosh(const std::string& file, const std::string& shape, int count) {
  const Values x = RandomValues(count, 1);
  Values want;
  for (const double value : x) want.push_back(std::cosh(value));
  ExpectLayer(CoshModel(shape), file, {x}, {want});
}

TEST(ElementwiseLayersTest, CoshOfRows) {
  ExpectCosh("cosh/cosh_rows.xml", "[5,9]", 45);
}

TEST(ElementwiseLayersTest, CoshWithPitches) {
  ExpectCosh("cosh/cosh_pitched.xml", "[2,3,4,5]", 120);
}

TEST(ElementwiseLayersTest, WeightedAdd) {
  const Values a = RandomValues(24, 1);
  Values want;
  for (const double value : a) want.push_back(0.25 * value + 0.5 * 1);
  ExpectLayer(R"(
    %x = Parameter-0() {shape: [2,3,4], element_type: f32}
    %a = Constant-0() {value: i64[1] {1}}
    %y = NormalizeL2-0(%x, %a) {eps: 0.25, eps_mode: add}
    %o = Result-0(%y) {}
  )",
              "add/weighted_add.xml", {a}, {want});
}

TEST(ElementwiseLayersTest, AddMul) {
  const Values a = RandomValues(48, 1), b = RandomValues(48, 2),
               c = RandomValues(48, 3);
  Values want;
  for (size_t i = 0; i < a.size(); ++i) want.push_back((a[i] + b[i]) * c[i]);
  ExpectLayer(
      LayerModel("CustomAddMul", {"f32[3,16]", "f32[3,16]", "f32[3,16]"},
                 {"f32[3,16]"}),
      "addmul/add_mul.xml", {a, b, c}, {want});
}

TEST(ElementwiseLayersTest, SumOf13Inputs) {
  std::vector<Values> inputs;
  std::vector<std::string> shapes;
  Values want(2 * 20);
  const double weights[] = {1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 13};
  for (int i = 0; i < 13; ++i) {
    inputs.push_back(RandomValues(40, i));
    shapes.push_back(i == 4 ? "f16[2,20]" : "f32[2,20]");
    for (size_t e = 0; e < want.size(); ++e) {
      want[e] += weights[i] * inputs.back()[e];
    }
  }
  ExpectLayer(LayerModel("SumOfThirteen", shapes, {"f32[2,20]"}),
              "decode/sum13.xml", inputs, {want});
}

TEST(ElementwiseLayersTest, Interp) {
  const int planes = 6, rows = 3, columns = 4;
  const Values x = RandomValues(planes * rows * columns, 1);
  Values want;
  for (int p = 0; p < planes; ++p) {
    for (int r = -1; r <= rows; ++r) {
      for (int c = -1; c <= columns; ++c) {
        const int row = std::clamp(r, 0, rows - 1);
        const int column = std::clamp(c, 0, columns - 1);
        want.push_back(x[(p * rows + row) * columns + column]);
      }
    }
  }
  ExpectLayer(R"(
    %x = Parameter-0() {shape: [2,3,3,4], element_type: f32}
    %b = Constant-0() {value: i64[4] {0,0,1,1}}
    %y = Pad-1(%x, %b, %b) {pad_mode: edge}
    %o = Result-0(%y) {}
  )",
              "interp/interp.xml", {x}, {want});
}

}  // namespace
}  // namespace dovetail::gpu
