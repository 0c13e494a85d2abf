#include "dovetail/core/blob/deferred_check.h"

#include <string>

#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_writer.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr size_t kMebibyte = 1 << 20;

// A container with a section "x" of 3 MiB.
std::string Container() {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  EXPECT_TRUE(writer.AddSection("x", std::string(3 * kMebibyte, 'a')).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

struct Opened {
  BlobReader reader;
  BlobBytes section;

  std::shared_ptr<const void> Defer(uint64_t offset, uint64_t size) const {
    return DeferCheck(reader, "x", section, offset, size);
  }
};

// The container, with the section's byte number `damaged` changed.
Opened OpenDamaged(size_t damaged) {
  std::string bytes = Container();
  bytes[bytes.find("aaaaaaaa") + damaged] = 'b';
  auto reader = BlobReader::FromBytes(bytes);
  EXPECT_TRUE(reader.ok()) << reader.status();
  auto section = reader->UncheckedSection("x");
  EXPECT_TRUE(section.ok()) << section.status();
  return {*std::move(reader), *std::move(section)};
}

TEST(DeferredCheckTest, FindsDamageWhereItIs) {
  const Opened opened = OpenDamaged(2 * kMebibyte);
  const auto sound = opened.Defer(0, 2 * kMebibyte);
  const auto damaged = opened.Defer(2 * kMebibyte, kMebibyte);
  EXPECT_TRUE(CheckDeferred(sound.get()).ok());
  EXPECT_TRUE(KnownDamage(damaged.get()).ok());
  const absl::Status status = CheckDeferred(damaged.get());
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_EQ(CheckDeferred(damaged.get()), status);
  EXPECT_EQ(KnownDamage(damaged.get()), status);
  EXPECT_TRUE(KnownDamage(sound.get()).ok());
}

TEST(DeferredCheckTest, KnowsViewsIntoTheBytes) {
  const Opened opened = OpenDamaged(5);
  const auto part = opened.Defer(0, kMebibyte);
  const auto* const data = static_cast<const char*>(part.get());
  EXPECT_FALSE(CheckDeferred(data + 100).ok());
  EXPECT_TRUE(CheckDeferred(data + kMebibyte).ok());
}

TEST(DeferredCheckTest, LeavesOtherMemory) {
  const Opened opened = OpenDamaged(0);
  const void* data = opened.section.data;
  EXPECT_TRUE(CheckDeferred(data).ok());
  {
    const auto part = opened.Defer(0, 10);
    EXPECT_FALSE(CheckDeferred(data).ok());
  }
  EXPECT_TRUE(CheckDeferred(data).ok());
}

TEST(DeferredCheckTest, RangesAreOfTheSection) {
  const Opened opened = OpenDamaged(0);
  EXPECT_TRUE(opened.reader.CheckRange("x", kMebibyte, 2 * kMebibyte).ok());
  EXPECT_EQ(opened.reader.CheckRange("x", kMebibyte, 3 * kMebibyte).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(opened.reader.CheckRange("y", 0, 1).code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace dovetail
