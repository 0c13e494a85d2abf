#include "dovetail/extensions/ir/writer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

IrFiles Write(const Model& model, const WriteOptions& options = {}) {
  auto files = WriteIrToMemory(model, options);
  EXPECT_TRUE(files.ok()) << files.status();
  return files.ok() ? *std::move(files) : IrFiles();
}

std::unique_ptr<Model> Read(const IrFiles& files) {
  auto model = ReadIrFromMemory(files.xml, ir::BytesOf(files.weights));
  EXPECT_TRUE(model.ok()) << model.status() << "\n" << files.xml;
  return model.ok() ? *std::move(model) : std::make_unique<Model>();
}

void ExpectSameAfterRoundTrip(const Model& model) {
  const IrFiles files = Write(model);
  const absl::Status same = Model::Compare(model, *Read(files), true);
  EXPECT_TRUE(same.ok()) << same << "\n" << files.xml;
}

Tensor Floats(const Shape& shape, const std::vector<float>& values) {
  return *Tensor::FromValues<float>(shape, values);
}

// x * 2 + 2, where each 2 is a constant of its own.
std::unique_ptr<Model> Affine() {
  auto model = std::make_unique<Model>("affine");
  Node* two = *AddConstant(*model, Floats({1}, {2}), "two");
  Node* x =
      *AddParameter(*model, ElementType::kF32, {-1, Dimension(2, 5)}, "x");
  Node* product = *model->Add(*FindOp("Multiply", 1),
                              {x->output(), two->output()}, nullptr, "product");
  Node* other = *AddConstant(*model, Floats({1}, {2}), "other");
  Node* sum = *model->Add(*FindOp("Add", 1),
                          {product->output(), other->output()}, nullptr, "sum");
  EXPECT_TRUE(AddResult(*model, sum->output(), "out").ok());
  return model;
}

TEST(WriterTest, WhatIsWrittenReadsBackEqual) {
  const auto model = Affine();
  ExpectSameAfterRoundTrip(*model);
  // The bounds of a dimension are only part of the parameter's shape.
  EXPECT_THAT(Write(*model).xml, HasSubstr("shape=\"?,2..5\""));
}

TEST(WriterTest, WritesTheFormatOfOthers) {
  const std::string xml = Write(*Affine()).xml;
  for (const char* part :
       {"<net name=\"affine\" version=\"11\">",
        "name=\"two\" type=\"Const\" version=\"opset1\"",
        "<data element_type=\"f32\" shape=\"1\" offset=\"0\" size=\"4\" />",
        "<data auto_broadcast=\"numpy\" />",
        "<port id=\"2\" precision=\"FP32\">", "<dim>-1</dim>",
        "<edge from-layer=\"", "<rt_info />"}) {
    EXPECT_THAT(xml, HasSubstr(part));
  }
}

TEST(WriterTest, EqualConstantsAreStoredOnce) {
  EXPECT_EQ(Write(*Affine()).weights.size(), 4u);
}

TEST(WriterTest, ConstantsAreAlignedForUseInPlace) {
  Model model("constants");
  const auto add = [&](const Tensor& value) {
    Node* node = *AddConstant(model, value);
    EXPECT_TRUE(AddResult(model, node->output()).ok());
  };
  add(*Tensor::FromValues<uint8_t>({3}, {1, 2, 3}));
  add(*Tensor::FromValues<double>({1}, {0.5}));
  add(*Tensor::Allocate(ElementType::kF32, {2000}));
  add(*Tensor::FromValues<bool>({2}, {true, false}));
  const IrFiles files = Write(model);
  EXPECT_THAT(files.xml, HasSubstr("offset=\"8\" size=\"8\""));
  EXPECT_THAT(files.xml, HasSubstr("offset=\"64\" size=\"8000\""));
  ExpectSameAfterRoundTrip(model);
}

TEST(WriterTest, EveryElementTypeReadsBack) {
  for (ElementType type : AllElementTypes()) {
    Model model("types");
    const Tensor value = *Tensor::Allocate(type, {3, 5});
    if (type == ElementType::kString) {
      value.mutable_span<std::string>()[1] = std::string("a\0b", 3);
      value.mutable_span<std::string>()[14] = "last";
    } else {
      for (int i = 0; i < 15; ++i) value.SetElement(i, i % 2);
    }
    Node* constant = *AddConstant(model, value, "c");
    ASSERT_TRUE(AddResult(model, constant->output(), "constant").ok());
    Node* parameter = *AddParameter(model, type, PartialShape(), "p");
    ASSERT_TRUE(AddResult(model, parameter->output(), "parameter").ok());
    ExpectSameAfterRoundTrip(model);
  }
}

TEST(WriterTest, ConstantsWithStridesAreWrittenPacked) {
  const Tensor all = Floats({2, 3}, {0, 1, 2, 3, 4, 5});
  Model model("strided");
  Node* node = *AddConstant(model, *all.Roi({0, 1}, {2, 2}), "column");
  ASSERT_TRUE(AddResult(model, node->output()).ok());
  const auto read = Read(Write(model));
  const auto& value = read->FindNode("column")->As<ConstantAttributes>()->value;
  EXPECT_THAT(ToDoubleVector(value), ElementsAre(1, 4));
}

TEST(WriterTest, NamesMayContainAnything) {
  auto model = Affine();
  model->set_name("<\"&'>\n\t");
  Node* sum = model->FindNode("sum");
  sum->set_name("größe <1> \"&amp;\"\nnew\rline\ttab");
  sum->port().names = {"a,b", "c\\d", "e f", "a\\,b", "a\\"};
  ExpectSameAfterRoundTrip(*model);
}

TEST(WriterTest, NamesThatAreNoTextAreRefused) {
  auto model = Affine();
  model->FindNode("sum")->set_name("\xff");
  const auto files = WriteIrToMemory(*model);
  EXPECT_EQ(files.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(files.status().message()), HasSubstr("UTF-8"));
}

TEST(WriterTest, KeepsRtInfo) {
  auto model = Affine();
  model->rt_info().Set({"model_info", "labels"}, "cat dog");
  model->rt_info().Set({"model_info", "my key"}, "<1>");
  model->rt_info().Set({"model_info", "empty"}, "");
  model->rt_info().Set({"model_info"}, "a text and children");
  model->rt_info().Set({"info"}, "called info");
  Node* sum = model->FindNode("sum");
  sum->rt_info().Set({"fused_names_0", "value"}, "a,b");
  sum->rt_info().Set({"affinity"}, "CPU");
  sum->rt_info().Set({"alt_width"}, "7");
  sum->rt_info().Set({"precise_0"}, "");
  sum->port().rt_info.Set({"layout_0", "layout"}, "[N,C]");
  ExpectSameAfterRoundTrip(*model);
}

TEST(WriterTest, RtInfoThatNoXmlHasANameForIsLeftOut) {
  auto model = Affine();
  Node* sum = model->FindNode("sum");
  sum->rt_info().Set({"odd_0", "two words"}, "x");
  sum->rt_info().Set({"odd_0", "name"}, "x");
  EXPECT_THAT(Write(*model).xml, Not(HasSubstr("two words")));
  Read(Write(*model));
}

TEST(WriterTest, TheOrderOfInputsAndOutputsIsThatOfTheModel) {
  Model model("order");
  Node* a = *AddParameter(model, ElementType::kF32, {1}, "a");
  Node* b = *AddParameter(model, ElementType::kI32, {1}, "b");
  ASSERT_TRUE(AddResult(model, b->output(), "first").ok());
  ASSERT_TRUE(AddResult(model, a->output(), "second").ok());
  const auto read = Read(Write(model));
  EXPECT_EQ(read->parameters()[0]->name(), "a");
  EXPECT_EQ(read->results()[0]->name(), "first");
  ExpectSameAfterRoundTrip(model);
}

TEST(WriterTest, Version10HasNoRtInfoOfLayers) {
  auto model = Affine();
  model->FindNode("sum")->rt_info().Set({"fused_names_0", "value"}, "a,b");
  const IrFiles files = Write(*model, {.version = 10});
  EXPECT_THAT(files.xml, HasSubstr("version=\"10\""));
  EXPECT_THAT(files.xml, Not(HasSubstr("fused_names")));
  EXPECT_EQ(*Read(files)->FindInput("x"), 0);
  EXPECT_EQ(WriteIrToMemory(*model, {.version = 7}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WriterTest, AnOperationOfNoOpsetIsRefused) {
  OpInfo internal = *FindOp("Relu", 0);
  internal.opsets = OpsetRange::None();
  Model model("internal");
  Node* x = *AddParameter(model, ElementType::kF32, {1}, "x");
  ASSERT_TRUE(model.Add(internal, {x->output()}, nullptr, "mine").ok());
  EXPECT_THAT(std::string(WriteIrToMemory(model).status().message()),
              HasSubstr("layer 'mine'"));
}

class WriteFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }
  // Names of the files in the folder, sorted.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::string Content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(WriteFilesTest, WritesTwoFilesThatReadBack) {
  const auto model = Affine();
  ASSERT_TRUE(WriteIr(*model, Path("a.xml")).ok());
  EXPECT_THAT(Files(), ElementsAre("a.bin", "a.xml"));
  const auto read = ReadIr(Path("a.xml"));
  ASSERT_TRUE(read.ok()) << read.status();
  const absl::Status same = Model::Compare(*model, **read, true);
  EXPECT_TRUE(same.ok()) << same;
}

TEST_F(WriteFilesTest, WeightsMayBeElsewhere) {
  ASSERT_TRUE(WriteIr(*Affine(), Path("a.xml"), Path("weights")).ok());
  EXPECT_THAT(Files(), ElementsAre("a.xml", "weights"));
  ReadOptions options;
  options.weights_path = Path("weights");
  EXPECT_TRUE(ReadIr(Path("a.xml"), options).ok());
  EXPECT_THAT(std::string(ReadIr(Path("a.xml")).status().message()),
              HasSubstr("a.bin"));
  options.weights_path = Path("nothing");
  EXPECT_EQ(ReadIr(Path("a.xml"), options).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(WriteFilesTest, AModelMayBeWrittenOverItsOwnFiles) {
  ASSERT_TRUE(WriteIr(*Affine(), Path("a.xml")).ok());
  const auto read = ReadIr(Path("a.xml"));
  ASSERT_TRUE(read.ok()) << read.status();
  (*read)->set_name("renamed");
  ASSERT_TRUE(WriteIr(**read, Path("a.xml")).ok());
  const auto again = ReadIr(Path("a.xml"));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(Model::Compare(**read, **again).ok());
}

TEST_F(WriteFilesTest, AFailureLeavesWhatWasThere) {
  ASSERT_TRUE(WriteIr(*Affine(), Path("a.xml")).ok());
  const std::string before = Content(Path("a.xml"));
  auto model = Affine();
  model->FindNode("sum")->set_name("\xff");
  EXPECT_FALSE(WriteIr(*model, Path("a.xml")).ok());
  EXPECT_EQ(Content(Path("a.xml")), before);
  EXPECT_THAT(Files(), ElementsAre("a.bin", "a.xml"));
}

TEST_F(WriteFilesTest, SaysWhatCannotBeWritten) {
  const absl::Status status = WriteIr(*Affine(), Path("none/a.xml"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("none/a.bin"));
  EXPECT_EQ(WriteIr(*Affine(), Path("a.bin")).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail
