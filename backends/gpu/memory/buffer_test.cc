#include "dovetail/backends/gpu/memory/buffer.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;

class BufferTest : public OnShim {
 protected:
  std::vector<char> Content(const Buffer& buffer) {
    std::vector<char> bytes(buffer.bytes());
    const auto queue = Queue::Create(device_);
    EXPECT_TRUE(queue.ok()) << queue.status();
    EXPECT_TRUE(
        (*queue)
            ->Read(buffer, 0, bytes.data(), buffer.bytes(), Queue::Wait::kYes)
            .ok());
    return bytes;
  }
};

TEST_F(BufferTest, HoldsWhatItWasGiven) {
  const std::vector<char> data = {1, 2, 3, 4, 5};
  const auto buffer = Buffer::WithData(device_, data.data(), 5);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(Content(*buffer), data);
}

TEST_F(BufferTest, MayBeEmpty) {
  const auto buffer = Buffer::Allocate(device_, 0);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(buffer->bytes(), 0);
  EXPECT_TRUE(*buffer);
}

TEST_F(BufferTest, IsCountedAsLongAsItIsThere) {
  const int64_t before = device_->memory().in_use();
  {
    auto buffer = Buffer::Allocate(device_, 1000);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    const Buffer moved = *std::move(buffer);
    EXPECT_EQ(device_->memory().in_use(), before + 1000);
  }
  EXPECT_EQ(device_->memory().in_use(), before);
  EXPECT_GE(device_->memory().peak(), before + 1000);
  EXPECT_EQ(shim_->Live("MemObject"), 0);
}

TEST_F(BufferTest, APartKeepsTheWhole) {
  const int64_t before = device_->memory().in_use();
  const int64_t at = device_->traits().base_alignment_bytes;
  std::vector<char> data(at + 2);
  data[at] = 7;
  data[at + 1] = 8;
  auto whole = Buffer::WithData(device_, data.data(), at + 2);
  ASSERT_TRUE(whole.ok()) << whole.status();
  auto part = whole->Part(at, 2);
  ASSERT_TRUE(part.ok()) << part.status();
  *whole = Buffer();
  EXPECT_EQ(Content(*part), (std::vector<char>{7, 8}));
  EXPECT_EQ(device_->memory().in_use(), before + at + 2);
  *part = Buffer();
  EXPECT_EQ(device_->memory().in_use(), before);
}

TEST_F(BufferTest, RefusesPartsOutsideOrBetweenAlignments) {
  const int64_t at = device_->traits().base_alignment_bytes;
  const auto whole = Buffer::Allocate(device_, 4 * at);
  ASSERT_TRUE(whole.ok()) << whole.status();
  const auto code = [&whole](int64_t offset, int64_t bytes) {
    return whole->Part(offset, bytes).status().code();
  };
  EXPECT_EQ(code(3 * at, at + 1), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(-at, at), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(0, 0), absl::StatusCode::kInvalidArgument);
  if (at > 1) {
    EXPECT_EQ(code(1, 1), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(code(3 * at, at), absl::StatusCode::kOk);
}

TEST_F(BufferTest, UsesTheHostsMemoryItself) {
  const HostAlignment alignment;
  const std::unique_ptr<void, decltype(&std::free)> memory(
      std::aligned_alloc(alignment.address, alignment.address), std::free);
  auto* const bytes = static_cast<char*>(memory.get());
  bytes[0] = 3;
  const auto buffer = Buffer::AroundHost(device_, bytes, alignment.size);
  if (!device_->traits().has_unified_memory) {
    EXPECT_EQ(buffer.status().code(), absl::StatusCode::kUnimplemented);
    return;
  }
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(Content(*buffer)[0], 3);
  EXPECT_EQ(Buffer::AroundHost(device_, bytes + 4, 64).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Buffer::AroundHost(device_, bytes, 63).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(BufferTest, ProcessorsReadConstantsWhereTheyAre) {
  alignas(64) const char bytes[65] = {1, 2, 3};
  const int64_t before = device_->memory().in_use();
  const auto buffer = Buffer::AroundConstant(device_, bytes, 65);
  if (!device_->traits().is_cpu) {
    EXPECT_EQ(buffer.status().code(), absl::StatusCode::kUnimplemented);
    return;
  }
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(Content(*buffer), std::vector<char>(bytes, bytes + 65));
  EXPECT_EQ(device_->memory().in_use(), before);
  EXPECT_EQ(Buffer::AroundConstant(device_, bytes + 4, 32).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(BufferTest, SharesAnApplicationsBuffer) {
  const auto own = Buffer::Allocate(device_, 100);
  ASSERT_TRUE(own.ok()) << own.status();
  {
    const auto shared = Buffer::Share(device_, own->mem().get());
    ASSERT_TRUE(shared.ok()) << shared.status();
    EXPECT_EQ(shared->bytes(), 100);
    EXPECT_EQ(shim_->Live("MemObject"), 2);
  }
  EXPECT_EQ(shim_->Live("MemObject"), 1);
}

TEST_F(BufferTest, SaysWhatDoesNotFit) {
  shim_->LimitMemory(1000);
  const auto buffer = Buffer::Allocate(device_, 2000);
  EXPECT_EQ(buffer.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(buffer.status().message()),
              HasSubstr("clCreateBuffer of 2000 bytes"));
  EXPECT_TRUE(Buffer::Allocate(device_, 1000).ok());
}

TEST_F(BufferTest, RefusesSizesThatNoDeviceHas) {
  const int64_t most = device_->traits().max_allocation_bytes;
  EXPECT_EQ(Buffer::Allocate(device_, most + 1).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Buffer::Allocate(device_, -1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(shim_->Calls("clCreateBuffer"), 0);
}

}  // namespace
}  // namespace dovetail::gpu
