#include "dovetail/backends/common/kernels/detection/vector_box_cover.h"

#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(VectorBoxCoverTest, AnswersAsPairByPair) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> corner(-1, 9), extent(-0.5f, 4);
  const auto box = [&] {
    const float x = corner(random), y = corner(random);
    return Box{x, y, x + extent(random), y + extent(random)};
  };
  for (const float limit : {0.0f, 0.3f, 0.7f}) {
    const std::unique_ptr<BoxCover> cover = MakeVectorBoxCover();
    const std::unique_ptr<BoxCover> plain = MakeBoxCover();
    for (int i = 0; i < 50; ++i) {
      const Box asked = box();
      EXPECT_EQ(cover->Covers(asked, limit), plain->Covers(asked, limit)) << i;
      const Box added = box();
      cover->Add(added);
      plain->Add(added);
    }
  }
}

// What is no box, or an endless one, breaks nothing.
TEST(VectorBoxCoverTest, TakesAnyNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const float numbers[] = {-kInfinity, -1, 0, 3, kInfinity, kNan, 3e38f};
  const std::unique_ptr<BoxCover> cover = MakeVectorBoxCover();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 7 * 7 * 7; ++i) {
      const Box box = {numbers[i % 7], 0, numbers[i / 7 % 7], numbers[i / 49]};
      cover->Covers(box, 0.5f);
      cover->Add(box);
      cover->Add({static_cast<float>(i), 0, static_cast<float>(i + 2), 1});
    }
  }
  EXPECT_TRUE(cover->Covers({5, 0, 7, 1}, 0.5f));
}

// Enough boxes for cells: of many places, some of them wide, and of one place.
TEST(VectorBoxCoverTest, AnswersAsPairByPairWithManyBoxes) {
  std::mt19937 random(7);
  for (const float spread : {1.0f, 300.0f, 3e38f, 0.0f}) {
    std::uniform_real_distribution<float> corner(0, spread), extent(0, 3);
    const auto box = [&](int i) {
      const float x = corner(random), y = corner(random) / 100;
      const float wide = i % 50 == 0 ? 100.0f : 1.0f;
      return Box{x, y, x + wide * extent(random), y + extent(random)};
    };
    const std::unique_ptr<BoxCover> cover = MakeVectorBoxCover();
    const std::unique_ptr<BoxCover> plain = MakeBoxCover();
    for (int i = 0; i < 2500; ++i) {
      const Box asked = box(i + 1), added = box(i);
      ASSERT_EQ(cover->Covers(asked, 0.3f), plain->Covers(asked, 0.3f)) << i;
      cover->Add(added);
      plain->Add(added);
    }
  }
}

}  // namespace
}  // namespace dovetail
