#include "dovetail/transformations/pipelines/common.h"

#include <sstream>

#include "dovetail/core/pass/print_observer.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(CommonPassesTest, PassesHelpEachOther) {
  PassManager manager("test");
  AddCommonPasses(manager);
  // Merging finds that %a and %b are one only when their constants are folded,
  // and only folding shows that the shape is the same as before.
  RunAndCompare(manager, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %s = ShapeOf-3(%x) {output_type: i64}
    %o = Constant-0() {value: i64[1] {1}}
    %t = Multiply-1(%s, %o) {}
    %y = Reshape-1(%x, %t) {special_zero: false}
    %c = Constant-0() {value: f32[1] {2}}
    %d = Constant-0() {value: f32[1] {1}}
    %e = Add-1(%d, %d) {}
    %a = Maximum-1(%y, %c) {}
    %b = Maximum-1(%x, %e) {}
    %z = Multiply-1(%a, %b) {}
    %r = Result-0(%z) {})",
                R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %c = Constant-0() {value: f32[1] {2}}
    %a = Maximum-1(%x, %c) {}
    %z = Multiply-1(%a, %a) {}
    %r = Result-0(%z) {})");
}

TEST(CommonPassesTest, CleansUpBehindPrecision) {
  PassManager manager("test");
  manager.Add<ConvertPrecision>(std::set<ElementType>{ElementType::kF16},
                                ElementType::kF32);
  AddCommonPasses(manager);
  RunAndCompare(manager, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %w = Constant-0() {value: f16[2] {0.5, 2}}
    %d = Convert-0(%w) {destination_type: f32}
    %z = Multiply-1(%x, %d) {}
    %r = Result-0(%z) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %d = Constant-0() {value: f32[2] {0.5, 2}}
    %z = Multiply-1(%x, %d) {}
    %r = Result-0(%z) {})");
}

TEST(CommonPassesTest, CanBeWatched) {
  PassManager manager("test");
  AddCommonPasses(manager);
  std::ostringstream out;
  PrintObserver observer(out, false);
  manager.set_observer(&observer);
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %r = Result-0(%x) {})");
  EXPECT_FALSE(manager.Run(model).value());
  EXPECT_NE(out.str().find("pass constant-folding: no change\n"),
            std::string::npos);
}

}  // namespace
}  // namespace dovetail
