#include "dovetail/transformations/simplify/dead_code.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(DeadCodeTest, RemovesWhatNobodyReads) {
  DeadCode pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}
    %b = Relu-0(%a) {}
    %c = Relu-0(%x) {}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Parameter-0() {shape: [2], element_type: f32}
    %c = Relu-0(%x) {}
    %r = Result-0(%c) {})");
}

TEST(DeadCodeTest, KeepsSideEffects) {
  DeadCode pass;
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}
    %s = Assign-6(%a) {variable_id: "v"}
    %r = Result-0(%x) {})");
}

}  // namespace
}  // namespace dovetail
