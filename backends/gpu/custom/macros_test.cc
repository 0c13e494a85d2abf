#include "dovetail/backends/gpu/custom/macros.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct SlopeAttributes : public AttributesOf<SlopeAttributes> {
  double slope = 0.25;
  bool flag = true;
  std::vector<int64_t> pads = {1, 2};
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("slope", slope);
    visitor.Visit("flag", flag);
    visitor.Visit("pads", pads);
  }
};

TEST(CustomMacrosTest, SayShapeTypeAndFormat) {
  const std::string text = BuiltInMacros(
      1, {{"INPUT0", ElementType::kI64, {2, 3, 4, 5}, CustomFormat::kByxf}},
      {6, 4}, {});
  EXPECT_THAT(text,
              AllOf(HasSubstr("#define NUM_INPUTS 1\n"),
                    HasSubstr("#define GLOBAL_WORKSIZE (int []){ 6, 4, }\n"),
                    HasSubstr("#define LOCAL_WORKSIZE_SIZE 0\n"),
                    HasSubstr("#define INPUT0_DIMS (int []){ 2, 3, 4, 5, }\n"),
                    HasSubstr("#define INPUT0_DIMS_SIZE 4\n"),
                    HasSubstr("#define INPUT0_TYPE long\n"),
                    HasSubstr("#define INPUT0_FORMAT_BYXF\n"),
                    HasSubstr("_PITCHES (int []){ 60, 1, 15, 3, }\n"),
                    HasSubstr("#define INPUT0_OFFSET 0\n")));
  EXPECT_THAT(text, Not(HasSubstr("FORMAT_BFYX")));
}

TEST(CustomMacrosTest, MissingSizesAreOne) {
  EXPECT_THAT(BuiltInMacros(0, {{"OUTPUT0", ElementType::kF16, {7}}}, {7}, {}),
              AllOf(HasSubstr("OUTPUT0_DIMS (int []){ 7, 1, 1, 1, }"),
                    HasSubstr("OUTPUT0_TYPE half\n")));
}

TEST(CustomMacrosTest, DefinesTakeAttributesAndDefaults) {
  CustomKernel kernel;
  kernel.defines = {{"SLOPE", "slope", "0.0", "float"},
                    {"FLAG", "flag", "", ""},
                    {"PADS", "pads", "", "int[]"},
                    {"OTHER", "other", "3.0", "float"},
                    {"EMPTY", "", "", ""}};
  EXPECT_EQ(UserMacros(kernel, SlopeAttributes()),
            "#define SLOPE 0.250000\n#define FLAG 1\n"
            "#define PADS (int[]) {1,2}\n#define OTHER 3.0\n"
            "#define EMPTY\n");
}

}  // namespace
}  // namespace dovetail::gpu
