#include "dovetail/core/extension/extension_table.h"

#include <string>
#include <vector>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/ops/op_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::Status Nothing(KernelContext&) { return absl::OkStatus(); }

// A library of one operation, which a test may spoil.
struct Sample {
  Sample() : row(*FindOp("Relu-0")) {
    row.type = row.ir_type = "Own";
    row.version = 1;
    row.custom_opset = "mine";
    row.extension = &functions;
    static_cast<ManifestHead&>(library) =
        MakeManifestHead("sample", "a sample", "0123");
    library.operations = rows;
  }
  Sample(const Sample&) = delete;

  ExtensionOp functions{"sample", "0123", &Nothing};
  OpInfo row;
  const OpInfo* rows[1] = {&row};
  ReplacedKernel kernels[1] = {{"Gelu", 7, &Nothing}};
  OpLibrary library = {};
};

std::string Refusal(const OpLibrary& library, absl::StatusCode code) {
  ExtensionTable table;
  const absl::Status status = table.Add(library);
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_TRUE(table.List().empty());
  return std::string(status.message());
}

TEST(ExtensionTableTest, FindsWhatWasAdded) {
  Sample sample;
  sample.library.kernels = sample.kernels;
  ExtensionTable table;
  EXPECT_EQ(table.Find("Own", "mine"), nullptr);
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(table.Add(sample.library, "here.so").ok());
  }
  EXPECT_EQ(table.Find("own", "mine"), &sample.row);
  EXPECT_EQ(table.Find("Own", "other"), nullptr);
  EXPECT_EQ(table.Find("Own", 1, "mine"), &sample.row);
  EXPECT_EQ(table.Find("Own", 2, "mine"), nullptr);
  // A replaced kernel is none that a file could name.
  EXPECT_EQ(table.Find("Gelu", "sample"), nullptr);
  ASSERT_NE(table.Find("Gelu", 7, "sample"), nullptr);
  EXPECT_EQ(table.Find("Gelu", 7, "sample")->extension->kernel, &Nothing);
  ASSERT_EQ(table.List().size(), 1u);
  EXPECT_EQ(table.List()[0].library, "here.so");
  EXPECT_THAT(table.List()[0].operations,
              ElementsAre("mine.Own", "Gelu-7 (kernel)"));
}

TEST(ExtensionTableTest, SwapsKernelsIn) {
  Sample sample;
  sample.library.kernels = sample.kernels;
  ExtensionTable table;
  Model model;
  Node* const x = AddTestParameter(model, {1});
  Node* const gelu = *model.Add(*FindOp("Gelu-7"), {x->output()},
                                FindOp("Gelu-7")->make_attributes());
  ASSERT_TRUE(table.UseKernels(model).ok());
  EXPECT_TRUE(gelu->Is("Gelu-7"));
  EXPECT_TRUE(ExtensionsIn(model).empty());
  ASSERT_TRUE(table.Add(sample.library).ok());
  ASSERT_TRUE(table.UseKernels(model).ok());
  // No pass takes it for what it was.
  EXPECT_FALSE(gelu->Is("Gelu-7"));
  EXPECT_EQ(gelu->op().type, "Gelu");
  EXPECT_THAT(ExtensionsIn(model), ElementsAre(std::pair("sample", "0123")));
  EXPECT_TRUE(model.Infer().ok());
}

TEST(ExtensionTableTest, RefusesOtherBuildsWithBothValues) {
  Sample sample;
  const std::string abi = sample.library.abi;
  sample.library.abi[3] ^= 1;
  EXPECT_THAT(Refusal(sample.library, absl::StatusCode::kFailedPrecondition),
              AllOf(HasSubstr(abi), HasSubstr(sample.library.abi)));
  sample.library.abi[3] ^= 1;
  const std::string toolchain = sample.library.toolchain;
  sample.library.toolchain = "gcc 2";
  EXPECT_THAT(Refusal(sample.library, absl::StatusCode::kFailedPrecondition),
              AllOf(HasSubstr("gcc 2"), HasSubstr(toolchain)));
}

TEST(ExtensionTableTest, RefusesIncompleteLibraries) {
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  {
    Sample sample;
    sample.library.operations = {};
    EXPECT_THAT(Refusal(sample.library, kInvalid), HasSubstr("no operations"));
  }
  {
    Sample sample;
    sample.row.custom_opset = "opset3";
    EXPECT_THAT(Refusal(sample.library, kInvalid), HasSubstr("'opset3.Own'"));
  }
  {
    Sample sample;
    sample.row.infer = nullptr;
    EXPECT_THAT(Refusal(sample.library, kInvalid),
                AllOf(HasSubstr("mine.Own"), HasSubstr("inference")));
  }
  {
    Sample sample;
    sample.functions.kernel = nullptr;
    EXPECT_THAT(Refusal(sample.library, kInvalid), HasSubstr("neither"));
  }
  {
    Sample sample;
    sample.rows[0] = nullptr;
    EXPECT_THAT(Refusal(sample.library, kInvalid), HasSubstr("null"));
  }
}

TEST(ExtensionTableTest, RefusesKernelsOfWhatIsNotThereOrNotToBeReplaced) {
  Sample sample;
  sample.library.kernels = sample.kernels;
  sample.kernels[0].version = 77;
  EXPECT_THAT(Refusal(sample.library, absl::StatusCode::kNotFound),
              HasSubstr("Gelu-77"));
  sample.kernels[0] = {"Loop", 5, &Nothing};
  EXPECT_THAT(Refusal(sample.library, absl::StatusCode::kInvalidArgument),
              HasSubstr("Loop-5"));
  sample.kernels[0] = {"Gelu", 7, nullptr};
  EXPECT_THAT(Refusal(sample.library, absl::StatusCode::kInvalidArgument),
              HasSubstr("no kernel"));
}

TEST(ExtensionTableTest, NamesAreTakenOnce) {
  Sample first, second;
  first.library.kernels = first.kernels;
  ExtensionTable table;
  ASSERT_TRUE(table.Add(first.library).ok());
  second.library.build = "4567";
  const auto refused = [&](absl::string_view words) {
    const absl::Status status = table.Add(second.library);
    EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(words)));
  };
  refused("as build '0123' already, this is '4567'");
  second.library.name = "other";
  refused("'mine.Own' is one of extension 'sample' already");
  second.row.custom_opset = "yours";
  ASSERT_TRUE(table.Add(second.library).ok());
  Sample third;
  third.library.name = "third";
  third.row.custom_opset = "theirs";
  third.library.kernels = third.kernels;
  EXPECT_THAT(std::string(table.Add(third.library).message()),
              HasSubstr("Gelu-7 has the kernel of extension 'sample'"));
}

TEST(ExtensionTableTest, SaysWhichExtensionLacks) {
  Sample sample;
  ExtensionTable table;
  const ExtensionBuilds wanted = {{"sample", "0123"}};
  EXPECT_THAT(std::string(table.Check(wanted).message()),
              AllOf(HasSubstr("'sample'"), HasSubstr("not there")));
  ASSERT_TRUE(table.Add(sample.library).ok());
  EXPECT_TRUE(table.Check(wanted).ok());
  EXPECT_THAT(std::string(table.Check({{"sample", "89ab"}}).message()),
              AllOf(HasSubstr("'89ab'"), HasSubstr("'0123'")));
}

}  // namespace
}  // namespace dovetail
