#include "dovetail/backends/vpu/compiler/allocation.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

// Of so many KiB, with rows of whole lines.
Layer Of(int64_t kib, std::vector<int> inputs,
         LayerKind kind = LayerKind::kUnary) {
  Layer layer;
  layer.kind = kind;
  layer.shape.out_width = 512;
  layer.shape.out_height = kib;
  layer.inputs = std::move(inputs);
  return layer;
}

// Of a machine whose CMX has so many KiB.
std::vector<Allocation> Memory(int64_t cmx_kib, const Network& network) {
  Machine machine = *DefaultMachine();
  machine.cmx_slices = 1;
  machine.cmx_slice_bytes = static_cast<double>(cmx_kib * 1024);
  std::vector<std::string> ddr(network.size());
  ddr[0] = "input of the network";
  std::vector<Allocation> memory = Allocate(machine, network, ddr);
  for (const Allocation& one : memory) {
    EXPECT_EQ(one.reason, ddr[one.layer]);
    EXPECT_EQ(one.reason.empty(), one.place == Place::kCmx);
  }
  return memory;
}

// Whether two live at the same time in the same place.
bool Collide(const Allocation& a, const Allocation& b) {
  return a.place == b.place && a.layer <= b.last && b.layer <= a.last &&
         a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

TEST(AllocationTest, OutputsLiveUntilTheirLastReader) {
  const auto memory =
      Memory(64, {Of(8, {}), Of(16, {0}), Of(16, {1}), Of(16, {2}),
                  Of(16, {1, 3})});
  ASSERT_EQ(memory.size(), 5u);
  EXPECT_EQ(memory[0].place, Place::kDdr);
  EXPECT_EQ(memory[1].last, 4);
  EXPECT_EQ(memory[2].last, 3);
  EXPECT_EQ(memory[1].bytes, 16 * 1024);
  for (size_t i = 0; i < memory.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(Collide(memory[i], memory[j]));
  }
}

TEST(AllocationTest, WhatFindsNoRoomIsSpilledWithTheReason) {
  const auto memory = Memory(
      48, {Of(8, {}), Of(32, {0}), Of(24, {1}), Of(8, {2}), Of(8, {1, 3})});
  EXPECT_EQ(memory[1].place, Place::kCmx);
  EXPECT_EQ(memory[2].place, Place::kDdr);
  EXPECT_THAT(memory[2].reason, HasSubstr("spilled: 24576 bytes find no room"));
  EXPECT_EQ(memory[3].place, Place::kCmx);
}

TEST(AllocationTest, ViewsKeepWhatTheyName) {
  const auto memory =
      Memory(64, {Of(8, {}), Of(8, {0}), Of(8, {0}),
                  Of(16, {1, 2}, LayerKind::kView), Of(8, {0}), Of(8, {3})});
  ASSERT_EQ(memory.size(), 5u);
  EXPECT_EQ(memory[1].last, 5);
  EXPECT_EQ(memory[2].last, 5);
}

}  // namespace
}  // namespace dovetail::vpu
