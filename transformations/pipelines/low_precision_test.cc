#include "dovetail/transformations/pipelines/low_precision.h"

#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// As converters write it: f16 constants, rounded weights, weights stored as
// integers, and values of two ranges that are concatenated.
TEST(LowPrecisionPassesTest, MakeANetworkOfIntegers) {
  PassManager manager("test");
  AddLowPrecisionPasses(manager);
  RunAndCompare(manager, R"(
    %x = Parameter-0() {shape: [1,1,4,4], element_type: f32}
    %l = Constant-0() {value: f16[] {0}}
    %lf = Convert-0(%l) {destination_type: f32}
    %h = Constant-0() {value: f32[] {2.9882812}}
    %a = FakeQuantize-0(%x, %lf, %h, %lf, %h) {levels: 256}
    %w = Constant-0() {value: f16[2,1,1,1] {0.9, -1.3}}
    %wf = Convert-0(%w) {destination_type: f32}
    %wl = Constant-0() {value: f32[] {-63.5}}
    %wh = Constant-0() {value: f32[] {63.5}}
    %wq = FakeQuantize-0(%wf, %wl, %wh, %wl, %wh) {levels: 255}
    %c = Convolution-1(%a, %wq) {}
    %b = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %d = Add-1(%c, %b) {}
    %e = Relu-0(%d) {}
    %k = Constant-0() {value: f32[] {7.96875}}
    %f = FakeQuantize-0(%e, %lf, %k, %lf, %k) {levels: 256}
    %g = MaxPool-1(%f) {kernel: [2,2], strides: [2,2]}
    %v = Constant-0() {value: i8[2,1,1,1] {4, -7}}
    %vf = Convert-0(%v) {destination_type: f32}
    %vs = Constant-0() {value: f32[2,1,1,1] {0.5, 0.25}}
    %vm = Multiply-1(%vf, %vs) {}
    %t = Constant-0() {value: i64[5] {2, 1, 1, 1, 1}}
    %vr = Reshape-1(%vm, %t) {special_zero: false}
    %i = GroupConvolution-1(%g, %vr) {}
    %r = Result-0(%i) {}
    %s = Sigmoid-0(%g) {}
    %q = Result-0(%s) {})",
                R"(
    %x = Parameter-0() {shape: [1,1,4,4], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {2.9882812}}
    %top = Constant-0() {value: f32[] {255}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %top) {levels: 256}
    %au = Convert-0(%a) {destination_type: u8}
    %af = Convert-0(%au) {destination_type: f32}
    %w = Constant-0() {value: i8[2,1,1,1] {2, -3}}
    %wf = Convert-0(%w) {destination_type: f32}
    %c = Convolution-1(%af, %wf) {}
    %cs = Constant-0() {value: f32[] {0.005859375}}
    %cm = Multiply-1(%c, %cs) {}
    %b = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %d = Add-1(%cm, %b) {}
    %e = Relu-0(%d) {}
    %k = Constant-0() {value: f32[] {7.96875}}
    %f = FakeQuantize-0(%e, %l, %k, %l, %top) {levels: 256}
    %fu = Convert-0(%f) {destination_type: u8}
    %g = MaxPool-1(%fu) {kernel: [2,2], strides: [2,2]}
    %gf = Convert-0(%g) {destination_type: f32}
    %v = Constant-0() {value: i8[2,1,1,1,1] {4, -7}}
    %vf = Convert-0(%v) {destination_type: f32}
    %i = GroupConvolution-1(%gf, %vf) {}
    %is = Constant-0() {value: f32[1,2,1,1] {0.015625, 0.0078125}}
    %im = Multiply-1(%i, %is) {}
    %r = Result-0(%im) {}
    %gs = Constant-0() {value: f32[] {0.03125}}
    %gm = Multiply-1(%gf, %gs) {}
    %s = Sigmoid-0(%gm) {}
    %q = Result-0(%s) {})",
                {.tolerance = 0.02});
}

TEST(LowPrecisionPassesTest, LeaveFloatsAndCompressedWeights) {
  PassManager manager("test");
  AddLowPrecisionPasses(manager);
  RunAndExpectNoChange(manager, R"(
    %x = Parameter-0() {shape: [?,4], element_type: f32}
    %q = Constant-0() {value: u4[2,4] {1, 2, 3, 4, 5, 6, 7, 8}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1] {0.5, 0.25}}
    %w = Multiply-1(%c, %s) {}
    %m = MatMul-0(%x, %w) {transpose_b: true}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {3}}
    %y = FakeQuantize-0(%m, %l, %h, %l, %h) {levels: 256}
    %r = Result-0(%y) {})");
}

}  // namespace
}  // namespace dovetail
