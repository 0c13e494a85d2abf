// The main() of every test: GoogleTest's, with the tests in random order, and
// an error when not a single test is linked in, which is what a forgotten
// source file or a dropped registration looks like.

#include <cstdio>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

int main(int argc, char** argv) {
  // Before the command line is read, so that --gtest_shuffle=0 still works.
  // GoogleTest prints the seed.
  GTEST_FLAG_SET(shuffle, true);
  testing::InitGoogleMock(&argc, argv);
  if (testing::UnitTest::GetInstance()->total_test_count() == 0) {
    std::fprintf(stderr, "No test is linked into %s.\n", argv[0]);
    return 1;
  }
  return RUN_ALL_TESTS();
}
