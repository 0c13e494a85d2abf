#include "dovetail/testing/graphs/small_models.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"

namespace dovetail {

namespace {

template <typename T>
T Right(absl::StatusOr<T> made, const char* what) {
  if (made.ok()) return *std::move(made);
  std::fprintf(stderr, "the %s of a test is wrong: %s\n", what,
               made.status().ToString().c_str());
  std::abort();
}

}  // namespace

Model ModelOf(absl::string_view text) {
  return Right(ParseModelText(text), "model");
}

Tensor Floats(const Shape& shape, const std::vector<double>& values) {
  return Right(Tensor::FromDoubles(ElementType::kF32, shape, values), "tensor");
}

Tensor ChainInput() { return Floats({2, 3}, {-2, -1, 0, 1, 2, 3}); }
std::vector<double> ChainOutput() { return {0, 0, 2, 4, 6, 8}; }

Model ChainModel() {
  return ModelOf(R"(model "chain"
    %x = Parameter-0() {shape: [2,3], element_type: f32} : f32[2,3] "x"  # in
    %1 = Constant-0() {value: f32[] {1}} : f32[]  # one
    %2 = Constant-0() {value: f32[] {2}} : f32[]  # two
    %a = Add-1(%x, %1) {auto_broadcast: numpy} : f32[2,3]  # add
    %r = Relu-0(%a) {} : f32[2,3]  # relu
    %y = Multiply-1(%r, %2) {auto_broadcast: numpy} : f32[2,3] "y"  # scale
    %o = Result-0(%y) {}  # out
  )");
}

Model DynamicModel() {
  return ModelOf(R"(model "dynamic"
    %x = Parameter-0() {shape: [?,3], element_type: f32} : f32[?,3] "x"  # in
    %y = Relu-0(%x) {} : f32[?,3] "y"  # relu
    %o = Result-0(%y) {}  # out
  )");
}

Model TwoByTwoModel() {
  return ModelOf(R"(model "two_by_two"
    %a = Parameter-0() {shape: [4], element_type: f32} : f32[4] "a"  # in_a
    %b = Parameter-0() {shape: [4], element_type: f32} : f32[4] "b"  # in_b
    %s = Add-1(%a, %b) {auto_broadcast: numpy} : f32[4] "sum"  # sum_layer
    %p = Multiply-1(%a, %b) {auto_broadcast: numpy} : f32[4] "product"  # product_layer
    %0 = Result-0(%s) {}  # out_sum
    %1 = Result-0(%p) {}  # out_product
  )");
}

Model CounterModel() {
  return ModelOf(R"(model "counter"
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"  # in
    %0 = Constant-0() {value: f32[2] {0, 0}} : f32[2]  # initial
    %v = ReadValue-6(%0) {variable_id: "total", variable_type: f32, variable_shape: [2]} : f32[2]  # read
    %t = Add-1(%v, %x) {auto_broadcast: numpy} : f32[2] "y"  # add
    %w = Assign-6(%t) {variable_id: "total"} : f32[2]  # assign
    %o = Result-0(%t) {}  # out
  )");
}

Model LongModel(int layers, int elements) {
  std::string text =
      absl::StrCat("model \"long\"\n%0 = Parameter-0() {shape: [", elements,
                   "], element_type: f32} : f32[", elements, "] \"x\"  # in\n");
  for (int i = 0; i < layers; ++i) {
    absl::StrAppend(&text, "%", i + 1, " = Add-1(%", i,
                    ", %0) {auto_broadcast: numpy}  # add_", i, "\n");
  }
  absl::StrAppend(&text, "%out = Result-0(%", layers, ") {}  # out\n");
  return ModelOf(text);
}

}  // namespace dovetail
