#include "dovetail/backends/hetero/parts/wiring.h"

#include <string>

#include "dovetail/core/plugin/testing/export_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::hetero {
namespace {

PortInfo Port(absl::string_view name) {
  return {std::string(name), {std::string(name)}, ElementType::kF32, {2, -1}};
}

// x -> part 0 -> part 1, which reads x, too -> y.
WiredModel TwoParts() {
  return {{Port("x")},
          {Port("y")},
          {{{"A", {{-1, 0}}}, {"B:C", {{0, 0}, {-1, 0}}}}, {{1, 0}}}};
}

class OnlyExport : public Executable {
 public:
  OnlyExport() : Executable({}) {}
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override {
    return absl::UnimplementedError("");
  }
  absl::Status Export(BlobWriter& blob) const override {
    return WriteWiring(TwoParts(), blob);
  }
};

TEST(WiringTest, IsReadAsItWasWritten) {
  const ExportSections sections = ExportedSections(OnlyExport()).value();
  const auto read = ReadWiring(ContainerOf(sections));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->inputs[0].name, "x");
  EXPECT_EQ(read->outputs[0].shape.ToString(), "[2,?]");
  const WiredModel want = TwoParts();
  ASSERT_EQ(read->wiring.parts.size(), 2u);
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(read->wiring.parts[p].device, want.wiring.parts[p].device);
    EXPECT_EQ(read->wiring.parts[p].inputs, want.wiring.parts[p].inputs);
  }
  EXPECT_EQ(read->wiring.results, want.wiring.results);
}

// None is read as something that goes out of bounds.
TEST(WiringTest, DamagedBytesAreRefusedOrSound) {
  ExportSections sections = ExportedSections(OnlyExport()).value();
  const std::string bytes = sections.begin()->second;
  std::string& damaged = sections.begin()->second;
  for (size_t size = 0; size < bytes.size(); ++size) {
    damaged = bytes.substr(0, size);
    EXPECT_EQ(ReadWiring(ContainerOf(sections)).status().code(),
              absl::StatusCode::kDataLoss);
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {1, 2, 0x80, 0xff}) {
      damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      const auto read = ReadWiring(ContainerOf(sections));
      if (!read.ok()) continue;
      EXPECT_EQ(read->wiring.results.size(), read->outputs.size());
      for (size_t p = 0; p < read->wiring.parts.size(); ++p) {
        for (const Source& source : read->wiring.parts[p].inputs) {
          EXPECT_LT(source.part, static_cast<int>(p));
        }
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::hetero
