// What the interpreter exports, it imports, and nothing else.

#include <memory>
#include <random>
#include <string>
#include <utility>

#include "dovetail/backends/interpreter/testing/compile.h"
#include "dovetail/core/plugin/testing/export_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kModel[] = R"(model "kept"
  %x = Parameter-0() {shape: [2], element_type: f16} : f16[2] "in"  # x
  %old = ReadValue-6(%x) {variable_id: "v", variable_type: f16, variable_shape: [2]}  # old
  %two = Constant-0() {value: f16[] {2}}
  %twice = Multiply-1(%old, %two) {}  # twice
  %keep = Assign-6(%twice) {variable_id: "v"}  # keep
  %sum = Add-1(%twice, %x) {} : f16[2] "sum:0"  # sum
  %out = Result-0(%sum) {}  # out
)";

ExportSections Exported() {
  const auto executable = CompileText(kModel, {{"PERF_COUNT", "YES"}});
  EXPECT_TRUE(executable.ok()) << executable.status();
  if (!executable.ok()) return {};
  const auto sections = ExportedSections(**executable);
  EXPECT_TRUE(sections.ok()) << sections.status();
  return sections.ok() ? *sections : ExportSections();
}

absl::StatusOr<std::unique_ptr<Executable>> Import(
    const ExportSections& sections, const PropertyMap& properties = {}) {
  const BlobReader blob = ContainerOf(sections);
  const StandaloneCall call = CallOf(properties);
  return Interpreter().Import(call.Importing(blob));
}

// The same with other bytes in place of the model's.
absl::StatusOr<std::unique_ptr<Executable>> ImportBytes(
    const std::string& model) {
  ExportSections sections = Exported();
  sections["lowered"] = model;
  return Import(sections);
}

TEST(ExportTest, AnImportedModelIsTheSame) {
  const auto original = CompileText(kModel).value();
  const auto imported = Import(Exported());
  ASSERT_TRUE(imported.ok()) << imported.status();
  const absl::Status same =
      Model::Compare(*original->runtime_model(), *(*imported)->runtime_model(),
                     /*with_rt_info=*/true);
  EXPECT_TRUE(same.ok()) << same;
  ASSERT_EQ((*imported)->inputs().size(), 1u);
  ASSERT_EQ((*imported)->outputs().size(), 1u);
  EXPECT_EQ((*imported)->inputs()[0].name, "in");
  EXPECT_EQ((*imported)->inputs()[0].type, ElementType::kF16);
  EXPECT_EQ((*imported)->outputs()[0].names, original->outputs()[0].names);
}

TEST(ExportTest, AnImportedModelRuns) {
  auto imported = Import(Exported(), {{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  const auto request = Request::Create(*std::move(imported)).value();
  const Tensor input =
      Tensor::FromDoubles(ElementType::kF16, {2}, {1, 2}).value();
  EXPECT_THAT(RunOn(*request, input), ElementsAre(3, 6));
  EXPECT_THAT(RunOn(*request, input), ElementsAre(5, 10));
  EXPECT_EQ((*request->Variables())[0].id, "v");
  EXPECT_EQ((*request->Variables())[0].value.type(), ElementType::kF16);
  EXPECT_FALSE(request->Profiling()->empty());
}

TEST(ExportTest, TruncatedExportsAreRefused) {
  const std::string bytes = Exported()["lowered"];
  ASSERT_GT(bytes.size(), 100u);
  for (size_t size = 0; size < bytes.size(); size += 7) {
    const auto imported = ImportBytes(bytes.substr(0, size));
    ASSERT_EQ(imported.status().code(), absl::StatusCode::kDataLoss) << size;
  }
  const auto longer = ImportBytes(bytes + "x");
  EXPECT_EQ(longer.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(longer.status().message()),
              HasSubstr("the exported model is damaged"));
}

// Core keeps damage away by its checksum; a file made on purpose gets here.
TEST(ExportTest, DamagedExportsDoNoHarm) {
  const std::string bytes = Exported()["lowered"];
  ExportSections sections = Exported();
  const Tensor input =
      Tensor::FromDoubles(ElementType::kF16, {2}, {1, 2}).value();
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k <= i % 3; ++k) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    sections["lowered"] = damaged;
    auto imported = Import(sections);
    if (!imported.ok()) {
      const absl::StatusCode code = imported.status().code();
      ASSERT_TRUE(code == absl::StatusCode::kDataLoss ||
                  code == absl::StatusCode::kUnimplemented)
          << imported.status();
      ++refused;
      continue;
    }
    const auto request = Request::Create(*std::move(imported)).value();
    if (request->SetInput(0, input).ok()) request->Infer().IgnoreError();
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace dovetail
