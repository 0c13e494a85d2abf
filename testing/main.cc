// The main() of every test: GoogleTest's, with the tests in random order, and
// an error when not a single test is linked in, which is what a forgotten
// source file or a dropped registration looks like.

#include <cstdio>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Under ThreadSanitizer (--config=tsan), what is not a race but looks like one.
// Abseil is the system's, so TSan does not see inside it: of the two halves of
// absl::Status's reference count it sees the one in the header and misses the
// one in the library. absl::Mutex is unseen altogether, which is a reason to
// use std::mutex. oneDNN is built without it: a static lock of its cache seems
// to be used without having been made.
extern "C" const char* __tsan_default_suppressions() {
  return "race:absl::*::Status::Unref\n"
         "race:dnnl::impl::utils::rw_mutex_t\n";
}

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
