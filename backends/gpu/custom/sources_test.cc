// Sources of custom kernels: those that change, and those that include others.
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/custom/testing/custom_test.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CustomSourcesTest : public CustomKernelsTest {};

constexpr char kNegative[] = R"(
  %x = Parameter-0() {shape: [5], element_type: f32}
  %y = Negative-0(%x) {}
  %o = Result-0(%y) {}
)";

TEST_F(CustomSourcesTest, AChangedSourceCountsAlsoWithACache) {
  const std::string cache = folder() + "/cache";
  const auto first_with = [&](const std::string& value) {
    const std::string file = Layer(
        "Negative", "", kInOut, "",
        absl::StrCat("__kernel void f(const __global float* x, __global float* "
                     "y) { y[get_global_id(0)] = ",
                     value, "; }\n"));
    const auto outcome =
        Run(kNegative, {{"CONFIG_FILE", file}, {"CACHE_DIR", cache}});
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? outcome->outputs[0][0] : -1;
  };
  EXPECT_EQ(first_with("7"), 7);
  EXPECT_EQ(first_with("7"), 7);
  EXPECT_EQ(first_with("8"), 8);
  const std::string identity =
      Gpu().CacheIdentity(StandaloneCall(GpuConfig({}).value()));
  EXPECT_THAT(identity, testing::Not(HasSubstr("custom")));
}

TEST_F(CustomSourcesTest, AChangedHeaderCountsAlsoWithACache) {
  const std::string file =
      Layer("Negative", "", kInOut, "",
            "#include \"value.h\"\n"
            "__kernel void f(const __global float* x, __global float* y) {\n"
            "  y[get_global_id(0)] = VALUE;\n}\n");
  const auto first_with = [&](int value) {
    Write("value.h", absl::StrCat("#pragma once\n#define VALUE ", value));
    const auto outcome = Run(
        kNegative, {{"CONFIG_FILE", file}, {"CACHE_DIR", folder() + "/cache"}});
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? outcome->outputs[0][0] : -1;
  };
  EXPECT_EQ(first_with(7), 7);
  EXPECT_EQ(first_with(7), 7);
  EXPECT_EQ(first_with(8), 8);
}

TEST_F(CustomSourcesTest, TheDriverNamesFilesAndLinesOfHeaders) {
  const std::string file =
      Layer("Negative", "", kInOut, "",
            "// a comment\n#include \"wrong.h\"\n"
            "__kernel void f(const __global float* x, __global float* y) {}\n");
  Write("wrong.h", "float a;\n\nfloat b = nothing;\n");
  EXPECT_THAT(MessageOf(kNegative, file),
              AllOf(HasSubstr("wrong.h:3"), HasSubstr("nothing")));
  Write("wrong.h", "");
  Write("k.cl", "#include \"wrong.h\"\n\n__kernel void f() { nothing; }\n");
  EXPECT_THAT(MessageOf(kNegative, file), HasSubstr("k.cl:3"));
  std::filesystem::remove(folder() + "/wrong.h");
  EXPECT_THAT(MessageOf(kNegative, file),
              AllOf(HasSubstr("kernels.xml:2: layer 'Negative', <Source>"),
                    HasSubstr("k.cl:1: #include \"wrong.h\"")));
}

}  // namespace
}  // namespace dovetail::gpu
