#include "dovetail/core/base/nearest.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(NearestTest, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0);
  EXPECT_EQ(EditDistance("abc", ""), 3);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
  EXPECT_EQ(EditDistance("STREAMS", "streams"), 0);
}

TEST(NearestTest, FindsWhatWasMeant) {
  const std::vector<std::string> keys = {"NUM_STREAMS", "PERF_COUNT",
                                         "CACHE_DIR"};
  EXPECT_EQ(Nearest("NUM_STREAM", keys), "NUM_STREAMS");
  EXPECT_EQ(Nearest("perf-count", keys), "PERF_COUNT");
  EXPECT_EQ(Nearest("SOMETHING_ELSE", keys), "");
  EXPECT_EQ(Nearest("x", {}), "");
}

}  // namespace
}  // namespace dovetail
