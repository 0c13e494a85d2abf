#include "dovetail/backends/gpu/program/joined_source.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

KernelSource Source(const std::string& text,
                    std::vector<std::string> helpers = {}) {
  return {text, std::move(helpers), "k"};
}

TEST(JoinSourcesTest, GivesEachKernelAName) {
  const auto joined = JoinSources(
      {{Source("void KERNEL_NAME() {}"), Source("int KERNEL_NAME_X;")}}, 8);
  ASSERT_EQ(joined.programs.size(), 1);
  EXPECT_EQ(joined.programs[0].text, "void k_0() {}\nint k_1_X;\n");
  EXPECT_EQ(joined.places[0].name, "k_0");
  EXPECT_EQ(joined.places[1].name, "k_1");
}

TEST(JoinSourcesTest, WritesEqualKernelsOnce) {
  const auto joined = JoinSources({{Source("a"), Source("b"), Source("a")}}, 8);
  EXPECT_EQ(joined.programs[0].kernels.size(), 2);
  EXPECT_EQ(joined.places[2].name, joined.places[0].name);
}

TEST(JoinSourcesTest, KernelsWithOtherHelpersAreOthers) {
  const auto joined =
      JoinSources({{Source("a", {"x"}), Source("a", {"y"})}}, 8);
  EXPECT_EQ(joined.programs[0].kernels.size(), 2);
}

TEST(JoinSourcesTest, HelpersStandOnceAProgramBeforeItsKernels) {
  const auto joined = JoinSources(
      {{Source("a", {"x", "y"}), Source("b", {"y", "z"}), Source("c", {"y"})}},
      2);
  ASSERT_EQ(joined.programs.size(), 2);
  EXPECT_EQ(joined.programs[0].text, "x\ny\nz\na\nb\n");
  EXPECT_EQ(joined.programs[1].text, "y\nc\n");
  EXPECT_EQ(joined.places[2].program, 1);
}

TEST(JoinSourcesTest, KnowsTheKernelOfALine) {
  const auto joined =
      JoinSources({{Source("a\na", {"x"}), Source("KERNEL_NAME\n")}}, 8);
  const JoinedSource::Program& program = joined.programs[0];
  EXPECT_EQ(program.KernelAt(1), nullptr);
  EXPECT_EQ(program.KernelAt(2)->name, "k_0");
  EXPECT_EQ(program.KernelAt(3)->name, "k_0");
  EXPECT_EQ(program.KernelAt(4)->name, "k_1");
  EXPECT_EQ(program.KernelAt(5), nullptr);
}

TEST(JoinSourcesTest, NothingIsNoProgram) {
  EXPECT_TRUE(JoinSources({}, 8).programs.empty());
}

}  // namespace
}  // namespace dovetail::gpu
