// What is wrong with custom kernels, in words.
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/custom/testing/custom_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CustomErrorsTest : public CustomKernelsTest {};

constexpr char kNegative[] = R"(
  %x = Parameter-0() {shape: [5], element_type: f32}
  %y = Negative-0(%x) {}
  %o = Result-0(%y) {}
)";
constexpr char kCopy[] =
    "__kernel void f(const __global float* x, __global float* y) {\n"
    "  y[get_global_id(0)] = x[get_global_id(0)];\n}\n";

TEST_F(CustomErrorsTest, AFileIsReadWhenItIsSet) {
  EXPECT_THAT(GpuConfig({{"CONFIG_FILE", "/nowhere.xml"}}).status().message(),
              AllOf(HasSubstr("CONFIG_FILE"), HasSubstr("/nowhere.xml")));
  const std::string file = Write("bad.xml", "<CustomLayer name=\"A\"/>");
  EXPECT_THAT(GpuConfig({{"CONFIG_FILE", file}}).status().message(),
              AllOf(HasSubstr("bad.xml:1"), HasSubstr("type")));
}

TEST_F(CustomErrorsTest, TensorsThatTheLayerDoesNotHave) {
  EXPECT_THAT(
      MessageOf(kNegative,
                Layer("Negative", "",
                      R"(<Tensor arg-index="0" type="input" port-index="3"/>
                         <Tensor arg-index="1" type="output" port-index="0"/>)",
                      "", kCopy)),
      AllOf(HasSubstr("kernels.xml:1"), HasSubstr("'Negative'"),
            HasSubstr("port-index=\"3\""), HasSubstr("has 1 inputs")));
  EXPECT_THAT(
      MessageOf(kNegative,
                Layer("Negative", "",
                      R"(<Tensor arg-index="0" type="input" port-index="0"/>
                         <Tensor arg-index="2" type="output" port-index="0"/>)",
                      "", kCopy)),
      HasSubstr("only 2 of them have a <Tensor>"));
  EXPECT_THAT(MessageOf(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}
    %a = Constant-0() {value: i64[] {0}}
    %s = Split-1(%x, %a) {num_splits: 2}
    %o = Result-0(%s:0) {}
    %p = Result-0(%s:1) {}
  )",
                        Layer("Split", "", kInOut, "", kCopy)),
              HasSubstr("no <Tensor> writes output 1"));
}

TEST_F(CustomErrorsTest, ShapesAndSizesThatCannotBe) {
  EXPECT_THAT(MessageOf(R"(
    %x = Parameter-0() {shape: [1,2,3,4,5], element_type: f32}
    %y = Negative-0(%x) {}
    %o = Result-0(%y) {}
  )",
                        Layer("Negative", "", kInOut, "", kCopy)),
              HasSubstr("has 5 axes"));
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut,
                                 R"(<WorkSizes global="B-B"/>)", kCopy)),
      HasSubstr("'B-B' is 0"));
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut,
                                 R"(<WorkSizes global="B" local="2"/>)",
                                 absl::StrCat("// get_local_id\n", kCopy))),
      GpuTraits().has_uneven_groups
          ? testing::Matcher<std::string>("")
          : HasSubstr("groups of 2 do not divide 5 work items"));
}

TEST_F(CustomErrorsTest, AFunctionThatIsNotThere) {
  EXPECT_THAT(MessageOf(kNegative, Layer("Negative", "", kInOut, "",
                                         "__kernel void g() {}\n")),
              HasSubstr("entry=\"f\">: no source has a function"));
}

TEST_F(CustomErrorsTest, ABuildErrorNamesFileAndLine) {
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut, "",
                                 "__kernel void f(const __global float* x,\n"
                                 "                __global float* y) {\n"
                                 "  y[0] = nothing;\n}\n")),
      AllOf(HasSubstr("kernels.xml:1: custom kernel 'Negative'"),
            HasSubstr("k.cl:3"), HasSubstr("nothing")));
}

}  // namespace
}  // namespace dovetail::gpu
