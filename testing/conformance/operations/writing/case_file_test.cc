#include "dovetail/testing/conformance/operations/writing/case_file.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(CaseFileTest, ChangesOneCaseAndLeavesTheRest) {
  CaseFile file("",
                "# All about it.\n\n# First.\ncase a\nof A-1\n\n\n"
                "case b\n# within\nof B-1\n# the end\n");
  file.Put("a", "case a\nof A-2\n");
  file.Put("c", "case c\n");
  EXPECT_EQ(file.Text(),
            "# All about it.\n\n# First.\ncase a\nof A-2\n\n"
            "case b\n# within\nof B-1\n# the end\n\ncase c\n");
}

}  // namespace
}  // namespace dovetail
