#include "dovetail/backends/vpu/custom/source/signature.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::ElementsAre;

TEST(SignatureTest, FindsTheDefinition) {
  const auto signature = FindSignature(R"(
// void scale(int wrong) {
void scale(float x);  /* a declaration */
void scale_more(float y) {}
__kernel void scale (__global const half* restrict src, // in
                     __local half *line,
                     int w /* of it */, float p[4])
{ }
)",
                                       "scale");
  ASSERT_TRUE(signature.has_value());
  EXPECT_THAT(signature->names, ElementsAre("src", "line", "w", "p"));
}

TEST(SignatureTest, ThereMayBeNone) {
  EXPECT_FALSE(FindSignature("int scale(int x) { return x; }", "scale"));
  EXPECT_FALSE(FindSignature("void scale(int x", "scale"));
  EXPECT_FALSE(FindSignature("", "scale"));
  EXPECT_TRUE(FindSignature("void f(void) {}", "f")->names.empty());
}

TEST(SignatureTest, CommentsKeepTheirLines) {
  EXPECT_EQ(WithoutComments("a/*b\nc*/d//e\nf"), "a   \n   d   \nf");
  EXPECT_EQ(WithoutComments("a/*b"), "a   ");
}

TEST(SignatureTest, QuotesHaveNoComments) {
  EXPECT_EQ(WithoutComments("#line 1 \"/a//b.cl\" // c\n'\"' /* d */ e"),
            "#line 1 \"/a//b.cl\"     \n'\"'         e");
  EXPECT_EQ(WithoutComments("a \"b\n// c"), "a \"b\n    ");
}

TEST(SignatureTest, KernelsAreNamed) {
  EXPECT_EQ(KernelNames("__kernel void __dma_preload_f(int a) {}\n"
                        "void g() {} // kernel void no() {}\n"
                        "__kernel __attribute__((reqd_work_group_size(1,1,1)))\n"
                        "void f(int a) {} kernel void h() {}"),
            (std::vector<std::string>{"f", "h"}));
  EXPECT_TRUE(KernelNames("void kernel_of() { void* p; }").empty());
}

}  // namespace
}  // namespace dovetail::vpu
