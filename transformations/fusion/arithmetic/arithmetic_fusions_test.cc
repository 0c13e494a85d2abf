#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

FusionPass Arithmetic() {
  return FusionPass("test", {&ConstantOperandFusions, &ConvertFusions});
}

TEST(ConstantOperandFusionsTest, OneFormForAll) {
  FusionPass pass = Arithmetic();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %a = Constant-0() {value: f32[1,2] {1, -2}}
    %b = Constant-0() {value: f32[2] {4, 0.5}}
    %y = Subtract-1(%x, %a) {}
    %z = Divide-1(%y, %b) {}
    %r = Result-0(%z) {})",
                R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %a = Constant-0() {value: f32[1,2] {-1, 2}}
    %b = Constant-0() {value: f32[2] {0.25, 2}}
    %y = Add-1(%x, %a) {}
    %z = Multiply-1(%y, %b) {}
    %r = Result-0(%z) {})");
}

TEST(ConstantOperandFusionsTest, SeveralInARow) {
  FusionPass pass = Arithmetic();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %a = Constant-0() {value: f32[1,2] {1, -2}}
    %b = Constant-0() {value: f32[] {4}}
    %c = Constant-0() {value: f32[1,2] {3, 5}}
    %y = Multiply-1(%x, %a) {}
    %z = Multiply-1(%b, %y) {}
    %u = Add-1(%z, %c) {}
    %v = Subtract-1(%u, %a) {}
    %r = Result-0(%v) {})",
                R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %a = Constant-0() {value: f32[1,2] {4, -8}}
    %c = Constant-0() {value: f32[1,2] {2, 7}}
    %z = Multiply-1(%x, %a) {}
    %u = Add-1(%z, %c) {}
    %r = Result-0(%u) {})");
}

TEST(ConstantOperandFusionsTest, NothingWiderInARow) {
  FusionPass pass = Arithmetic();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2,2], element_type: f32}
    %a = Constant-0() {value: f32[1,2] {1, -2}}
    %c = Constant-0() {value: f32[2,1] {3, 5}}
    %y = Multiply-1(%x, %a) {}
    %u = Multiply-1(%y, %c) {}
    %r = Result-0(%u) {})");
}

TEST(ConstantOperandFusionsTest, Zeros) {
  FusionPass pass = Arithmetic();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,2], element_type: f32}
    %o = Relu-0(%x) {}
    %a = Constant-0() {value: f32[1,2] {0, 0}}
    %y = Add-1(%o, %a) {}
    %r = Result-0(%y) {})",
                R"(
    %x = Parameter-0() {shape: [2,2], element_type: f32}
    %o = Relu-0(%x) {}
    %r = Result-0(%o) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %o = Relu-0(%x) {}
    %a = Constant-0() {value: f32[2,2] {0, 0, 0, 0}}
    %y = Add-1(%o, %a) {}
    %r = Result-0(%y) {})");
}

TEST(ConstantOperandFusionsTest, IntegersAndWhatHasNoReciprocalStay) {
  FusionPass pass = Arithmetic();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: i32}
    %a = Constant-0() {value: i32[] {3}}
    %y = Divide-1(%x, %a) {}
    %z = Subtract-1(%y, %a) {}
    %r = Result-0(%z) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Constant-0() {value: f32[2] {0, 1}}
    %y = Divide-1(%x, %a) {}
    %r = Result-0(%y) {})");
}

TEST(ConstantOperandFusionsTest, DequantizationStays) {
  FusionPass pass = Arithmetic();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: u8}
    %c = Convert-0(%x) {destination_type: f32}
    %z = Constant-0() {value: f32[] {128}}
    %s = Constant-0() {value: f32[] {0.5}}
    %y = Subtract-1(%c, %z) {}
    %v = Multiply-1(%y, %s) {}
    %r = Result-0(%v) {})");
}

TEST(ConvertFusionsTest, LikeAKnownType) {
  FusionPass pass = Arithmetic();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %l = Parameter-0() {shape: [...], element_type: i32}
    %d = ConvertLike-1(%x, %l) {}
    %r = Result-0(%d) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %l = Parameter-0() {shape: [...], element_type: i32}
    %d = Convert-0(%x) {destination_type: i32}
    %r = Result-0(%d) {})");
}

TEST(ConvertFusionsTest, ThroughAWiderType) {
  FusionPass pass = Arithmetic();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %c = Convert-0(%x) {destination_type: f32}
    %d = Convert-0(%c) {destination_type: i32}
    %r = Result-0(%d) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %d = Convert-0(%x) {destination_type: i32}
    %r = Result-0(%d) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %c = Convert-0(%x) {destination_type: f16}
    %d = Convert-0(%c) {destination_type: f32}
    %r = Result-0(%d) {})");
}

}  // namespace
}  // namespace dovetail
