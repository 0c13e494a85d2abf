#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_format.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/blob/checksum.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string Folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "blob_" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

void WriteFile(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// Bytes that differ from place to place.
std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<char>(i * 2654435761u >> 13);
  }
  return bytes;
}

// What `write` does, finished.
template <typename Write>
std::string Container(const Write& write) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  write(writer);
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

std::string Small() {
  return Container([](BlobWriter& writer) {
    EXPECT_TRUE(writer.SetHeader("device", "CPU").ok());
    EXPECT_TRUE(writer.AddSection("model", "abcdefg").ok());
    EXPECT_TRUE(writer.AddSection("empty", "").ok());
    EXPECT_TRUE(writer.AddSection("weights", std::string(100, 'w')).ok());
  });
}

BlobReader Read(const std::string& bytes) {
  absl::StatusOr<BlobReader> reader = BlobReader::FromBytes(bytes);
  EXPECT_TRUE(reader.ok()) << reader.status();
  return *std::move(reader);
}

std::string Bytes(const BlobReader& reader, const std::string& name) {
  const absl::StatusOr<BlobBytes> bytes = reader.Section(name);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? std::string(bytes->view()) : "";
}

TEST(Blob, ReadsWhatWasWritten) {
  const BlobReader reader = Read(Small());
  EXPECT_EQ(reader.Header("device"), "CPU");
  EXPECT_EQ(reader.Header("build"), std::nullopt);
  EXPECT_EQ(Bytes(reader, "model"), "abcdefg");
  EXPECT_EQ(Bytes(reader, "empty"), "");
  EXPECT_EQ(Bytes(reader, "weights"), std::string(100, 'w'));
  EXPECT_EQ(reader.section_names(),
            (std::vector<std::string>{"empty", "model", "weights"}));
  EXPECT_EQ(*reader.SectionSize("weights"), 100u);
  EXPECT_TRUE(reader.HasSection("model"));
  EXPECT_FALSE(reader.HasSection("mode"));
  EXPECT_EQ(reader.Section("mode").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_TRUE(reader.Verify().ok());
}

TEST(Blob, SectionsAreAlignedViewsThatOutliveTheReader) {
  const std::string path = Folder("views") + "/model.blob";
  WriteFile(path, Small());
  absl::StatusOr<BlobBytes> weights, model;
  {
    const absl::StatusOr<BlobReader> reader = BlobReader::Open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ(reader->path(), path);
    weights = reader->Section("weights");
    model = reader->Section("model");
  }
  ASSERT_TRUE(weights.ok() && model.ok());
  EXPECT_EQ(weights->view(), std::string(100, 'w'));
  for (const void* data : {weights->data, model->data}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
    EXPECT_TRUE(MappedFile::RangeOf(data, 7).has_value());
  }
}

TEST(Blob, BytesOfAnOwnerAreNotCopiedWhereTheyAreAligned) {
  const std::string small = Small();
  auto owner = std::make_shared<std::vector<char>>(small.size() + 64);
  char* aligned = owner->data();
  while (reinterpret_cast<uintptr_t>(aligned) % 64 != 0) ++aligned;
  const auto in_owner = [&](const void* data) {
    return data >= owner->data() && data < owner->data() + owner->size();
  };
  std::copy(small.begin(), small.end(), aligned);
  auto reader = BlobReader::FromBytes({aligned, small.size()}, owner);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE(in_owner(reader->Section("model")->data));
  EXPECT_EQ(Bytes(*reader, "model"), "abcdefg");

  char* odd = aligned == owner->data() ? aligned + 1 : aligned - 1;
  std::copy(small.begin(), small.end(), odd);
  reader = BlobReader::FromBytes({odd, small.size()}, owner);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_FALSE(in_owner(reader->Section("model")->data));
  EXPECT_EQ(Bytes(*reader, "model"), "abcdefg");
}

TEST(Blob, PiecesOfASectionAreOne) {
  const std::string bytes = Pattern(3 * blob::kChunkBytes + 12345);
  std::vector<uint64_t> offsets;
  const std::string container = Container([&](BlobWriter& writer) {
    EXPECT_TRUE(writer.BeginSection("pieces").ok());
    absl::string_view left = bytes;
    for (size_t size = 1; !left.empty(); size = size * 3 + 7) {
      EXPECT_TRUE(writer.Append(left.substr(0, size)).ok());
      left.remove_prefix(std::min(size, left.size()));
    }
    EXPECT_TRUE(writer.EndSection().ok());
    EXPECT_TRUE(writer.BeginSection("aligned").ok());
    for (absl::string_view part : {"abc", "", "defg", "h"}) {
      offsets.push_back(*writer.AppendAligned(part));
    }
    EXPECT_TRUE(writer.EndSection().ok());
  });
  const BlobReader reader = Read(container);
  EXPECT_EQ(Bytes(reader, "pieces"), bytes);
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 64, 64, 128}));
  const std::string aligned = Bytes(reader, "aligned");
  ASSERT_EQ(aligned.size(), 129u);
  EXPECT_EQ(aligned.substr(64, 4), "defg");
  EXPECT_EQ(aligned[128], 'h');
}

TEST(Blob, NestedNamesAreApart) {
  const std::string container = Container([](BlobWriter& writer) {
    for (const char* part : {"0", "1"}) {
      BlobWriter nested = writer.Nested(part);
      EXPECT_TRUE(nested.SetHeader("device", part).ok());
      EXPECT_TRUE(nested.AddSection("model", part).ok());
      EXPECT_TRUE(nested.Nested("deep").AddSection("model", "deep").ok());
    }
    EXPECT_TRUE(writer.SetHeader("device", "HETERO").ok());
    EXPECT_TRUE(writer.AddSection("model", "whole").ok());
  });
  const BlobReader reader = Read(container);
  const BlobReader second = reader.Nested("1");
  EXPECT_EQ(Bytes(reader, "model"), "whole");
  EXPECT_EQ(Bytes(second, "model"), "1");
  EXPECT_EQ(Bytes(second.Nested("deep"), "model"), "deep");
  EXPECT_EQ(second.Header("device"), "1");
  EXPECT_EQ(reader.Header("device"), "HETERO");
  EXPECT_EQ(second.headers(),
            (std::map<std::string, std::string>{{"device", "1"}}));
  EXPECT_EQ(second.section_names(),
            (std::vector<std::string>{"deep/model", "model"}));
  EXPECT_FALSE(reader.Nested("2").HasSection("model"));
}

// Parts of one model export weights that they share, or have each.
TEST(Blob, TheSameBytesAreWrittenOnce) {
  const std::string weights = Pattern(2 * blob::kChunkBytes + 77);
  const std::string copy = weights;
  std::string reused = "first";
  const std::string container = Container([&](BlobWriter& writer) {
    for (const char* part : {"0", "1"}) {
      EXPECT_TRUE(writer.Nested(part).AddSection("weights", weights).ok());
    }
    EXPECT_TRUE(writer.Nested("2").AddSection("weights", copy).ok());
    EXPECT_TRUE(writer.AddSection("first", reused).ok());
    reused.replace(0, 5, "other");
    EXPECT_TRUE(writer.AddSection("other", reused).ok());
  });
  EXPECT_LT(container.size(), weights.size() + 2000);
  const BlobReader reader = Read(container);
  EXPECT_TRUE(reader.Verify().ok());
  for (const char* part : {"0", "1", "2"}) {
    EXPECT_EQ(Bytes(reader.Nested(part), "weights"), weights);
  }
  EXPECT_EQ(reader.Nested("2").Section("weights")->data,
            reader.Nested("0").Section("weights")->data);
  EXPECT_EQ(Bytes(reader, "first"), "first");
  EXPECT_EQ(Bytes(reader, "other"), "other");
}

TEST(Blob, WritingRefusesWhatCannotBeRead) {
  const auto code = [](const auto& write) {
    std::string bytes;
    StringSink sink(&bytes);
    BlobWriter writer(&sink);
    write(writer);
    const absl::Status status = writer.Finish();
    EXPECT_FALSE(BlobReader::FromBytes(bytes).ok());
    return status.code();
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kPrecondition = absl::StatusCode::kFailedPrecondition;
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.AddSection("a", "1").IgnoreError();
              writer.AddSection("a", "2").IgnoreError();
            }),
            kInvalid);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.Nested("a").AddSection("b", "1").IgnoreError();
              writer.AddSection("a/b", "2").IgnoreError();
            }),
            kInvalid);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.AddSection("", "1").IgnoreError();
            }),
            kInvalid);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.SetHeader("a", "1").IgnoreError();
              writer.SetHeader("a", "1").IgnoreError();
            }),
            kInvalid);
  EXPECT_EQ(code([](BlobWriter& writer) {
              FileRange range;
              range.file.size = 10;
              range.offset = 5;
              range.size = 6;
              writer.AddReference("a", range).IgnoreError();
            }),
            kInvalid);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.Append("no section").IgnoreError();
            }),
            kPrecondition);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.BeginSection("a").IgnoreError();
              writer.BeginSection("b").IgnoreError();
            }),
            kPrecondition);
  EXPECT_EQ(
      code([](BlobWriter& writer) { writer.BeginSection("a").IgnoreError(); }),
      kPrecondition);
  EXPECT_EQ(code([](BlobWriter& writer) {
              writer.Nested("a").Finish().IgnoreError();
            }),
            kPrecondition);
}

TEST(Blob, NothingFollowsTheEnd) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_EQ(writer.AddSection("late", "1").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Read(bytes).section_names().empty());
}

class FailingSink : public ByteSink {
 public:
  explicit FailingSink(size_t room) : room_(room) {}
  absl::Status Append(absl::string_view bytes) override {
    if (bytes.size() > room_) return absl::ResourceExhaustedError("full");
    room_ -= bytes.size();
    return absl::OkStatus();
  }

 private:
  size_t room_;
};

TEST(Blob, TheSinksErrorIsTheWritersWhereverItComes) {
  const size_t size = Small().size();
  for (size_t room = 0; room < size; ++room) {
    FailingSink sink(room);
    BlobWriter writer(&sink);
    writer.SetHeader("device", "CPU").IgnoreError();
    writer.AddSection("model", "abcdefg").IgnoreError();
    writer.AddSection("empty", "").IgnoreError();
    writer.AddSection("weights", std::string(100, 'w')).IgnoreError();
    EXPECT_EQ(writer.Finish().code(), absl::StatusCode::kResourceExhausted);
  }
}

// ---- References ----

class References : public testing::Test {
 protected:
  References() : folder_(Folder("references")) {
    weights_ = folder_ + "/model.bin";
    WriteFile(weights_, "0123456789");
    auto file = MappedFile::Open(weights_);
    EXPECT_TRUE(file.ok()) << file.status();
    const char* data = static_cast<const char*>((*file)->data());
    range_ = MappedFile::RangeOf(data + 3, 4).value();
  }

  std::string Write(const std::string& folder) const {
    const std::string path = folder + "/model.blob";
    WriteFile(path, Container([&](BlobWriter& writer) {
                EXPECT_TRUE(writer.AddReference("weights", range_).ok());
              }));
    return path;
  }

  static absl::StatusOr<std::string> Weights(const std::string& path) {
    const auto reader = BlobReader::Open(path);
    if (!reader.ok()) return reader.status();
    EXPECT_EQ(*reader->SectionSize("weights"), 4u);
    const auto bytes = reader->Section("weights");
    if (!bytes.ok()) return bytes.status();
    return std::string(bytes->view());
  }

  std::string folder_, weights_;
  FileRange range_;
};

TEST_F(References, ShowTheOtherFilesBytes) {
  EXPECT_EQ(range_.offset, 3u);
  EXPECT_EQ(range_.file.path, weights_);
  EXPECT_EQ(*Weights(Write(folder_)), "3456");
}

TEST_F(References, AFileBesideTheContainerWillDo) {
  const std::string elsewhere = Folder("elsewhere");
  std::filesystem::rename(weights_, elsewhere + "/model.bin");
  EXPECT_EQ(*Weights(Write(elsewhere)), "3456");
}

TEST_F(References, AFileThatIsGoneIsNamed) {
  const std::string path = Write(folder_);
  std::filesystem::remove(weights_);
  const absl::Status status = Weights(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find(weights_), std::string::npos) << status;
}

TEST_F(References, AnotherSizeIsRefused) {
  const std::string path = Write(folder_);
  WriteFile(weights_, "0123456789a");
  const absl::Status status = Weights(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("11 bytes instead of 10"), std::string::npos)
      << status;
}

TEST_F(References, AnotherTimeOfChangeIsRefused) {
  const std::string path = Write(folder_);
  std::filesystem::last_write_time(
      weights_,
      std::filesystem::last_write_time(weights_) + std::chrono::nanoseconds(1));
  const absl::Status status = Weights(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("was changed at"), std::string::npos)
      << status;
}

// ---- Damage ----

// Everything that a reader of Small() would see, or the first error.
absl::StatusOr<std::string> AllOf(absl::string_view bytes) {
  const auto reader = BlobReader::FromBytes(bytes);
  if (!reader.ok()) return reader.status();
  std::string all(reader->Header("device").value_or("none"));
  for (const std::string& name : reader->section_names()) {
    const auto section = reader->Section(name);
    if (!section.ok()) return section.status();
    absl::StrAppend(&all, "|", name, "=", section->view());
  }
  return all;
}

bool IsDamage(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsInvalidArgument(status) ||
         absl::IsFailedPrecondition(status);
}

TEST(BlobDamage, EachByteThatChangesIsNoticedOrDoesNotMatter) {
  const std::string small = Small();
  const std::string whole = *AllOf(small);
  int unnoticed = 0;
  for (size_t i = 0; i < small.size(); ++i) {
    for (unsigned char flip : {0x01, 0x80, 0xff}) {
      std::string damaged = small;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const auto all = AllOf(damaged);
      if (all.ok()) {
        EXPECT_EQ(*all, whole) << i;
        EXPECT_EQ(small[i], '\0') << i;
        ++unnoticed;
      } else {
        EXPECT_TRUE(IsDamage(all.status())) << all.status();
      }
    }
  }
  // Only between sections: behind "model" and "weights" at most 63 each.
  EXPECT_LE(unnoticed, 3 * 2 * 63);
}

TEST(BlobDamage, EachCutIsNoticed) {
  const std::string small = Small();
  for (size_t size = 0; size < small.size(); ++size) {
    const auto all = AllOf(absl::string_view(small).substr(0, size));
    EXPECT_TRUE(IsDamage(all.status())) << size << ": " << all.status();
  }
  EXPECT_TRUE(IsDamage(AllOf(small + "x").status()));
  EXPECT_TRUE(IsDamage(AllOf(small + small).status()));
}

TEST(BlobDamage, OtherFilesAreNoContainers) {
  for (const std::string bytes : {"", "DVT", "<?xml version=\"1.0\"?>"}) {
    EXPECT_EQ(BlobReader::FromBytes(bytes).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(BlobReader::IsContainer(bytes));
  }
  EXPECT_TRUE(BlobReader::IsContainer(Small().substr(0, 8)));
}

TEST(BlobDamage, AnotherVersionIsToldApart) {
  std::string other = Small();
  other[8] = 99;
  const absl::Status status = BlobReader::FromBytes(other).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("version 99"), std::string::npos) << status;
}

// Tables that lie, with checksums that hold.
TEST(BlobDamage, TablesThatLieAreRefused) {
  const auto read = [](const blob::SectionEntry& section) {
    blob::Table table;
    table.sections["a"] = section;
    const std::string begin = blob::WriteBegin();
    return BlobReader::FromBytes(begin + blob::WriteEnd(table, begin.size()))
        .status();
  };
  blob::SectionEntry section;
  section.offset = 64;
  EXPECT_TRUE(read(section).ok());
  section.size = 1;
  section.checksums = {1};
  EXPECT_TRUE(absl::IsDataLoss(read(section)));
  section.size = ~uint64_t{0};
  EXPECT_TRUE(absl::IsDataLoss(read(section)));
  section = {};
  section.offset = 0;
  EXPECT_TRUE(absl::IsDataLoss(read(section)));
  section.offset = ~uint64_t{0} - 63;
  EXPECT_TRUE(absl::IsDataLoss(read(section)));
  section = {};
  section.is_reference = true;
  section.reference.offset = 1;
  EXPECT_TRUE(absl::IsDataLoss(read(section)));
}

TEST(BlobDamage, SeedsOfNonsenseDoNoHarm) {
  const std::string small = Small();
  uint64_t random = 1;
  const auto next = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return random >> 33;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = small;
    for (uint64_t changes = 1 + next() % 8; changes > 0; --changes) {
      const size_t at = next() % bytes.size();
      switch (next() % 3) {
        case 0:
          bytes[at] = static_cast<char>(next());
          break;
        case 1:
          bytes.erase(at, 1 + next() % 16);
          break;
        default:
          bytes.insert(at, 1 + next() % 16, static_cast<char>(next()));
      }
      if (bytes.empty()) break;
    }
    const auto all = AllOf(bytes);
    EXPECT_TRUE(!all.ok() || *all == *AllOf(small)) << *all;
  }
}

TEST(BlobDamage, OneChunkOfManyIsNamedByEveryThread) {
  const std::string bytes = Pattern(40 * blob::kChunkBytes + 5);
  std::string container = Container([&](BlobWriter& writer) {
    EXPECT_TRUE(writer.AddSection("large", bytes).ok());
  });
  const size_t at = blob::kFrameBytes + 33 * blob::kChunkBytes + 77;
  container[at] = static_cast<char>(container[at] ^ 4);
  const BlobReader reader = Read(container);
  std::vector<absl::Status> found(4);
  std::vector<std::thread> threads;
  for (absl::Status& status : found) {
    threads.emplace_back([&] { status = reader.Section("large").status(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : found) {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_EQ(status, found[0]);
  }
  const std::string place =
      std::to_string(blob::kFrameBytes + 33 * blob::kChunkBytes);
  EXPECT_NE(found[0].message().find("from " + place), std::string::npos)
      << found[0];
}

TEST(Checksum, PiecesAreTheWhole) {
  const std::string bytes = Pattern(5000);
  RunningChecksum running;
  for (size_t i = 0; i < bytes.size(); i += 17) {
    running.Add(absl::string_view(bytes).substr(i, 17));
  }
  EXPECT_EQ(running.Take(), Checksum(bytes));
  running.Add("abc");
  EXPECT_EQ(running.Take(), Checksum("abc"));
  // The published value of XXH3 for no bytes: it must not change from build to
  // build.
  EXPECT_EQ(Checksum(""), 0x2d06800538d394c2u);
  EXPECT_EQ(HexHash128("a").size(), 32u);
  EXPECT_NE(HexHash128("a"), HexHash128("b"));
}

}  // namespace
}  // namespace dovetail
