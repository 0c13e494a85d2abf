#include "dovetail/transformations/low_precision/weights/gather_compressed.h"

#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

CompareOptions WithoutUnused() {
  CompareOptions options;
  options.remove_unused = true;
  return options;
}

TEST(GatherCompressedTest, GathersCodesScalesAndZeros) {
  GatherCompressed pass;
  RunAndCompare(pass, R"(
    %i = Parameter-0() {shape: [1,2], element_type: i64}
    %q = Constant-0() {value: u8[3,2] {1, 2, 3, 4, 5, 6}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: u8[3,1] {1, 2, 3}}
    %d = Convert-0(%z) {destination_type: f32}
    %m = Subtract-1(%c, %d) {}
    %s = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %w = Multiply-1(%m, %s) {}
    %a = Constant-0() {value: i32[] {0}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})",
                R"(
    %i = Parameter-0() {shape: [1,2], element_type: i64}
    %q = Constant-0() {value: u8[3,2] {1, 2, 3, 4, 5, 6}}
    %a = Constant-0() {value: i64[] {0}}
    %b = Gather-8(%q, %i, %a) {batch_dims: 0}
    %c = Convert-0(%b) {destination_type: f32}
    %z = Constant-0() {value: u8[3,1] {1, 2, 3}}
    %e = Constant-0() {value: i64[] {0}}
    %f = Gather-8(%z, %i, %e) {batch_dims: 0}
    %d = Convert-0(%f) {destination_type: f32}
    %m = Subtract-1(%c, %d) {auto_broadcast: numpy}
    %s = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %g = Constant-0() {value: i64[] {0}}
    %h = Gather-8(%s, %i, %g) {batch_dims: 0}
    %y = Multiply-1(%m, %h) {auto_broadcast: numpy}
    %r = Result-0(%y) {})",
                WithoutUnused());
}

TEST(GatherCompressedTest, ReshapesRowsInGroups) {
  GatherCompressed pass;
  RunAndCompare(pass, R"(
    %i = Parameter-0() {shape: [1,?], element_type: i64}
    %q = Constant-0() {value: i4[2,2,2] {1, 2, 3, 4, 5, 6, 7, -8}}
    %c = Convert-0(%q) {destination_type: f16}
    %s = Constant-0() {value: f16[2,2,1] {1, 2, 3, 4}}
    %m = Multiply-1(%c, %s) {}
    %t = Constant-0() {value: i64[2] {2, 4}}
    %v = Reshape-1(%m, %t) {special_zero: false}
    %w = Convert-0(%v) {destination_type: f32}
    %a = Constant-0() {value: i32[] {0}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})",
                R"(
    %i = Parameter-0() {shape: [1,?], element_type: i64}
    %q = Constant-0() {value: i4[2,2,2] {1, 2, 3, 4, 5, 6, 7, -8}}
    %a = Constant-0() {value: i64[] {0}}
    %b = Gather-8(%q, %i, %a) {batch_dims: 0}
    %c = Convert-0(%b) {destination_type: f16}
    %s = Constant-0() {value: f16[2,2,1] {1, 2, 3, 4}}
    %e = Constant-0() {value: i64[] {0}}
    %f = Gather-8(%s, %i, %e) {batch_dims: 0}
    %m = Multiply-1(%c, %f) {auto_broadcast: numpy}
    %t = Constant-0() {value: i64[3] {0, 0, 4}}
    %v = Reshape-1(%m, %t) {special_zero: true}
    %y = Convert-0(%v) {destination_type: f32}
    %r = Result-0(%y) {})",
                WithoutUnused());
}

TEST(GatherCompressedTest, GathersCodesOfFloats) {
  GatherCompressed pass;
  RunAndCompare(pass, R"(
    %i = Parameter-0() {shape: [2], element_type: i64}
    %q = Constant-0() {value: nf4[3,2] {1, 0, -1, 1, 0, 1}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %w = Multiply-1(%c, %s) {}
    %a = Constant-0() {value: i32[] {0}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})",
                R"(
    %i = Parameter-0() {shape: [2], element_type: i64}
    %q = Constant-0() {value: nf4[3,2] {1, 0, -1, 1, 0, 1}}
    %a = Constant-0() {value: i64[] {0}}
    %b = Gather-8(%q, %i, %a) {batch_dims: 0}
    %c = Convert-0(%b) {destination_type: f32}
    %s = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %g = Constant-0() {value: i64[] {0}}
    %h = Gather-8(%s, %i, %g) {batch_dims: 0}
    %y = Multiply-1(%c, %h) {auto_broadcast: numpy}
    %r = Result-0(%y) {})",
                WithoutUnused());
}

TEST(GatherCompressedTest, LeavesOtherTables) {
  GatherCompressed pass;
  // Along the other axis; one scale for all rows; floats.
  RunAndExpectNoChange(pass, R"(
    %i = Parameter-0() {shape: [2], element_type: i64}
    %q = Constant-0() {value: u8[3,2] {1, 2, 3, 4, 5, 6}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %w = Multiply-1(%c, %s) {}
    %a = Constant-0() {value: i32[] {1}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})");
  RunAndExpectNoChange(pass, R"(
    %i = Parameter-0() {shape: [2], element_type: i64}
    %q = Constant-0() {value: u8[3,2] {1, 2, 3, 4, 5, 6}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {2}}
    %w = Multiply-1(%c, %s) {}
    %a = Constant-0() {value: i32[] {0}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})");
  RunAndExpectNoChange(pass, R"(
    %i = Parameter-0() {shape: [2], element_type: i64}
    %w = Constant-0() {value: f32[3,2] {1, 2, 3, 4, 5, 6}}
    %a = Constant-0() {value: i32[] {0}}
    %y = Gather-8(%w, %i, %a) {batch_dims: 0}
    %r = Result-0(%y) {})");
}

}  // namespace
}  // namespace dovetail
