#include "dovetail/core/tensor/memory/large_pages.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kSecond = LargePageChoice::kPause;

TEST(LargePageChoiceTest, AsksAsLongAsPagesComeInTime) {
  LargePageChoice choice(1000);
  EXPECT_TRUE(choice.MayAsk(0));
  EXPECT_TRUE(choice.IsWorth(300, 10));
  EXPECT_TRUE(choice.IsWorth(2000, 20));
  EXPECT_TRUE(choice.MayAsk(20));
}

TEST(LargePageChoiceTest, PausesAfterOneThatTookTooLong) {
  LargePageChoice choice(1000);
  EXPECT_FALSE(choice.IsWorth(2001, 50));
  EXPECT_FALSE(choice.MayAsk(51));
  EXPECT_FALSE(choice.MayAsk(49 + kSecond));
  EXPECT_TRUE(choice.MayAsk(50 + kSecond));
  EXPECT_TRUE(choice.IsWorth(500, 60 + kSecond));
  EXPECT_TRUE(choice.MayAsk(61 + kSecond));
}

// Sizes around those of pages and parts, and blocks that begin anywhere: what
// is around a block, and in it, stays as it was.
TEST(UseLargePagesTest, BlocksOfAllSizesHoldWhatIsWritten) {
  constexpr size_t kMega = size_t{1} << 20;
  for (const size_t bytes : {size_t{0}, size_t{1}, 8 * kMega, 8 * kMega + 1,
                             10 * kMega - 1, 33 * kMega + 5000}) {
    std::vector<char> memory(bytes + 200, 'm');
    char* const block = memory.data() + 100;
    UseLargePages(block, bytes);
    ASSERT_EQ(std::count(memory.begin(), memory.end(), 'm'),
              static_cast<int64_t>(memory.size()));
    std::memset(block, 'w', bytes);
    EXPECT_EQ(std::count(memory.begin(), memory.end(), 'm'), 200);
  }
}

}  // namespace
}  // namespace dovetail
