#include "dovetail/backends/cpu/tuning/choices_section.h"

#include <string>

#include "dovetail/core/base/files/byte_sink.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

BlobReader Written(const KernelChoices& choices, const TunedFor& tuned) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  EXPECT_TRUE(WriteChoices(choices, tuned, writer).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return BlobReader::FromBytes(bytes).value();
}

KernelChoices SomeChoices() {
  KernelChoices choices;
  choices.Choose("conv1", "winograd_f32");
  choices.Choose("fc", "gemm_f32");
  return choices;
}

TEST(ChoicesSectionTest, ChoicesComeBackForTheSameMachineAndThreads) {
  const BlobReader reader = Written(SomeChoices(), {"avx2", 2});
  const auto same = ReadChoices(reader, {"avx2", 2});
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->kernels(), SomeChoices().kernels());
  EXPECT_TRUE(ReadChoices(reader, {"avx512", 2})->empty());
  EXPECT_TRUE(ReadChoices(reader, {"avx2", 4})->empty());
}

TEST(ChoicesSectionTest, NoChoicesTakeNoSection) {
  const BlobReader reader = Written({}, {"avx2", 2});
  EXPECT_TRUE(reader.section_names().empty());
  EXPECT_TRUE(ReadChoices(reader, {"avx2", 2})->empty());
}

// The container's checksum does not see what its writer got wrong.
TEST(ChoicesSectionTest, ASectionThatEndsEarlyIsDamaged) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE(writer.AddSection("tuned_kernels", "\x04").ok());
  ASSERT_TRUE(writer.Finish().ok());
  const auto read =
      ReadChoices(BlobReader::FromBytes(bytes).value(), {"avx2", 2});
  EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace dovetail::cpu
