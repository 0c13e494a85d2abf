#include "dovetail/backends/cpu/steps/reference/turned_step.h"

#include <random>
#include <vector>

#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr ElementType kWide = ElementType::kF32, kNarrow = ElementType::kBf16;
constexpr Layout kPlanar = Layout::kPlanar, kLast = Layout::kChannelsLast;

// Element (image, channel, pixel) of a tensor of that shape.
int64_t PlaceOf(const Shape& shape, Layout layout, int64_t n, int64_t c,
                int64_t i) {
  const int64_t area = shape.Count(2, shape.rank());
  return layout == kPlanar ? (n * shape[1] + c) * area + i
                           : (n * area + i) * shape[1] + c;
}

void RunStep(const Step& step, void* from, void* to) {
  WorkTeam team(2);
  RunEnvironment environment(&team, nullptr);
  ASSERT_TRUE(
      step.Run({{&from, 1}, {&to, 1}, nullptr, nullptr, &environment}).ok());
}

template <typename From, typename To>
void ExpectTurned(const Shape& shape, const Format& from, const Format& to) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-3, 3);
  std::vector<From> in(shape.Count());
  for (From& number : in) number = From(uniform(random));
  std::vector<To> out(shape.Count());
  const auto step = MakeTurnedStep(shape, from, to);
  ASSERT_NE(step, nullptr);
  RunStep(*step, in.data(), out.data());
  const int64_t area = shape.Count(2, shape.rank());
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < shape[1]; ++c) {
      for (int64_t i = 0; i < area; ++i) {
        const float want(To(float(in[PlaceOf(shape, from.layout, n, c, i)])));
        ASSERT_EQ(float(out[PlaceOf(shape, to.layout, n, c, i)]), want)
            << shape.ToString() << ": " << n << ", " << c << ", " << i;
      }
    }
  }
}

TEST(TurnedStepTest, ConvertsAndTurns) {
  // Pictures; channels of parts of a tile, of some tiles and the rest.
  for (const Shape& shape :
       {Shape{1, 1, 5, 7}, Shape{2, 2, 33}, Shape{2, 3, 70, 61},
        Shape{1, 4, 9, 9}, Shape{1, 5, 3, 2}, Shape{2, 150, 3, 11},
        Shape{1, 64, 1, 200}, Shape{1, 17, 2, 3, 50}}) {
    ExpectTurned<float, BFloat16>(shape, {kWide, kPlanar}, {kNarrow, kLast});
    ExpectTurned<float, BFloat16>(shape, {kWide, kLast}, {kNarrow, kPlanar});
    ExpectTurned<BFloat16, float>(shape, {kNarrow, kPlanar}, {kWide, kLast});
    ExpectTurned<BFloat16, float>(shape, {kNarrow, kLast}, {kWide, kPlanar});
  }
}

TEST(TurnedStepTest, OtherTypesAreLeft) {
  const Shape shape = {1, 3, 4, 4};
  EXPECT_EQ(MakeTurnedStep(shape, {kWide, kPlanar}, {kWide, kLast}), nullptr);
  EXPECT_EQ(MakeTurnedStep(shape, {ElementType::kU8, kPlanar}, {kWide, kLast}),
            nullptr);
}

}  // namespace
}  // namespace dovetail::cpu
