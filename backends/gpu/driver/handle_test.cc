#include "dovetail/backends/gpu/driver/handle.h"

#include <utility>

#include "dovetail/backends/gpu/testing/on_device.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

class HandleTest : public OnShim {
 protected:
  Mem NewMem() {
    return Mem(device_->api(), device_->api().CreateBuffer(
                                   device_->context().get(), CL_MEM_READ_WRITE,
                                   64, nullptr, nullptr));
  }
  int64_t Live() const { return shim_->Live("MemObject"); }
};

TEST_F(HandleTest, ReleasesWithTheLastCopy) {
  Mem mem = NewMem();
  EXPECT_EQ(Live(), 1);
  {
    const Mem copy = mem;
    EXPECT_EQ(copy.get(), mem.get());
    EXPECT_EQ(Live(), 2);
  }
  EXPECT_EQ(Live(), 1);
  mem = Mem();
  EXPECT_FALSE(mem);
  EXPECT_EQ(Live(), 0);
}

TEST_F(HandleTest, AMoveTakesTheReference) {
  Mem mem = NewMem();
  const cl_mem raw = mem.get();
  const Mem moved = std::move(mem);
  EXPECT_EQ(moved.get(), raw);
  EXPECT_EQ(Live(), 1);
}

TEST_F(HandleTest, AssignmentToItselfKeepsTheObject) {
  Mem mem = NewMem();
  const Mem& same = mem;
  mem = same;
  EXPECT_TRUE(mem);
  EXPECT_EQ(Live(), 1);
}

TEST_F(HandleTest, RetainedLeavesTheCallersReference) {
  const Mem mem = NewMem();
  { const Mem second = Mem::Retained(device_->api(), mem.get()); }
  EXPECT_EQ(Live(), 1);
}

}  // namespace
}  // namespace dovetail::gpu
