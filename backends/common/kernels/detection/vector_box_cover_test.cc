#include "dovetail/backends/common/kernels/detection/vector_box_cover.h"

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
