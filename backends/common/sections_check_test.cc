#include "dovetail/backends/common/sections_check.h"

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Names = std::vector<std::string>;

// Of sections "a" of 3.5 MiB, "b" of 2 MiB, "c" of 9 bytes and an empty one,
// each filled with its name; one byte is another where `damaged` says so.
BlobReader Container(const std::string& damaged = "", size_t at = 0) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  for (const auto& [name, size] : std::vector<std::pair<std::string, size_t>>{
           {"a", 7 << 19}, {"b", 2 << 20}, {"c", 9}}) {
    EXPECT_TRUE(writer.AddSection(name, std::string(size, name[0])).ok());
  }
  EXPECT_TRUE(writer.AddSection("empty", "").ok());
  EXPECT_TRUE(writer.Finish().ok());
  if (!damaged.empty()) {
    const size_t begin = bytes.find(std::string(9, damaged[0]));
    bytes[begin + at] = '!';
  }
  auto reader = BlobReader::FromBytes(bytes);
  EXPECT_TRUE(reader.ok()) << reader.status();
  return *std::move(reader);
}

TEST(SectionsCheckTest, FindsNothingInSoundSections) {
  SectionsCheck check(Container(), {"a", "b", "c", "empty"});
  EXPECT_EQ(check.Finish(), Names());
}

TEST(SectionsCheckTest, NamesDamagedSectionsAndThoseNotThere) {
  for (size_t at : {size_t{0}, (size_t{7} << 19) - 1}) {
    SectionsCheck check(Container("a", at), {"c", "missing", "b", "a"});
    EXPECT_EQ(check.Finish(), Names({"missing", "a"})) << at;
  }
  SectionsCheck check(Container("c", 8), {"a", "b", "c"});
  EXPECT_EQ(check.Finish(), Names({"c"}));
  SectionsCheck others(Container("c", 8), {"a", "b"});
  EXPECT_EQ(others.Finish(), Names());
}

TEST(SectionsCheckTest, AnExecutorTakesChunks) {
  InlineExecutor inline_executor;
  SectionsCheck all_there(Container("b", 5), {"a", "b", "c"});
  all_there.Start(inline_executor);
  EXPECT_EQ(all_there.Finish(), Names({"b"}));
  ThreadPool pool(2, "check");
  for (int i = 0; i < 20; ++i) {
    SectionsCheck check(Container("b", 1 << 20), {"a", "b", "c"});
    check.Start(pool);
    check.Start(pool);
    EXPECT_EQ(check.Finish(), Names({"b"}));
  }
}

// Its thread comes when the check is over, or gone.
TEST(SectionsCheckTest, DoesNotWaitForAThreadThatNeverCame) {
  std::promise<void> go;  // outlives the thread that waits for it
  ThreadPool pool(1, "check");
  pool.Schedule([&] { go.get_future().wait(); });
  {
    SectionsCheck check(Container("b", 5), {"a", "b", "c"});
    check.Start(pool);
    EXPECT_EQ(check.Finish(), Names({"b"}));
    SectionsCheck abandoned(Container(), {"a"});
    abandoned.Start(pool);
  }
  go.set_value();
}

}  // namespace
}  // namespace dovetail
