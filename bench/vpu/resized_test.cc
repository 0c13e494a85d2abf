#include "dovetail/bench/vpu/resized.h"

#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

TEST(ResizedTest, ExtentsFollowTheInputAndPaddingStays) {
  Dump dump;
  Layer input;
  input.kind = LayerKind::kInput;
  input.shape = {3, 3, 448, 448, 448, 448, 1, 1, 1};
  Layer convolution;
  convolution.kind = LayerKind::kConvolution;
  convolution.shape = {64, 128, 60, 60, 28, 28, 3, 3, 2};
  convolution.macs = 1;
  Layer pool;
  pool.kind = LayerKind::kPool;
  pool.shape = {2048, 2048, 14, 14, 1, 1, 14, 14, 1};
  dump.network = {input, convolution, pool};
  dump.microseconds = {1, 2, 3};

  const Dump resized = Resized(dump, 448, 416);
  EXPECT_EQ(resized.microseconds, dump.microseconds);
  EXPECT_EQ(resized.network[0].host_bytes, 3 * 416 * 416);
  const ConvShape& s = resized.network[1].shape;
  EXPECT_EQ(s.in_width, 52 + 4);
  EXPECT_EQ(s.out_height, 26);
  EXPECT_EQ(s.kernel_x, 3);
  EXPECT_EQ(resized.network[1].macs, int64_t{64} * 128 * 26 * 26 * 9);
  EXPECT_EQ(resized.network[2].shape.kernel_y, 13);
  EXPECT_EQ(resized.network[2].shape.out_width, 1);
}

TEST(ResizedTest, TheSameSizeChangesNothing) {
  Dump dump;
  Layer layer;
  layer.shape = {64, 64, 230, 230, 112, 112, 7, 7, 2};
  dump.network = {layer};
  dump.microseconds = {1};
  EXPECT_EQ(Resized(dump, 224, 224).network[0].shape.in_width, 230);
}

}  // namespace
}  // namespace dovetail::vpu
