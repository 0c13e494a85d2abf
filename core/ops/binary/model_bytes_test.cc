#include "dovetail/core/ops/binary/model_bytes.h"

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/tensor/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpInfo* FindTestOp(absl::string_view type, int version) {
  for (const OpInfo& op : TestOps()) {
    if (op.type == type && op.version == version) return &op;
  }
  return nullptr;
}

std::string Write(const Model& model) {
  ByteWriter writer;
  const absl::Status status = WriteModel(model, writer);
  EXPECT_TRUE(status.ok()) << status;
  return writer.Take();
}

absl::StatusOr<std::unique_ptr<Model>> Read(absl::string_view bytes) {
  ByteReader reader(bytes);
  auto model = ReadModel(reader, FindTestOp);
  if (model.ok()) {
    if (absl::Status status = reader.Finish(); !status.ok()) return status;
  }
  return model;
}

std::unique_ptr<Attributes> EveryAttribute() {
  auto all = std::make_unique<EverythingAttributes>();
  all->flag = true;
  all->count = std::numeric_limits<int64_t>::min();
  all->seed = std::numeric_limits<uint64_t>::max();
  all->factor = std::numeric_limits<double>::quiet_NaN();
  all->text = std::string("a\0\n\"b", 5);
  all->counts = {-1, 0, 1};
  all->factors = {0.1, -0.0, std::numeric_limits<double>::infinity()};
  all->texts = {"", "x"};
  all->type = ElementType::kBf16;
  all->shape = PartialShape{1, Dimension(3, 9), Dimension()};
  all->tensor = Tensor::FromDoubles(ElementType::kU4, {3}, {1, 2, 15}).value();
  all->flavour = Flavour::kSour;
  return all;
}

// A model with one of everything that a model can hold.
std::unique_ptr<Model> RichModel() {
  Model model = LoopTestModel();
  model.set_name("rich");
  model.rt_info().Set({"conversion", "scale"}, "2");
  Node* x = model.parameters()[0];
  x->port().names = {"data", "data:0"};
  x->port().rt_info.Set({"layout_0", "layout"}, "[N]");
  Node* all = AddTestNode(model, "Everything", {x->output()}, "every/thing",
                          EveryAttribute());
  all->rt_info().Set({"fused_names_0", "value"}, "a,b\\,c");
  all->rt_info().value = "text";
  AddTestNode(model, "Assign", {x->output()}, "store", TestVariable("v"));
  const Tensor texts = Tensor::Allocate(ElementType::kString, {2}).value();
  texts.mutable_data<std::string>()[1] = std::string("\0\xff", 2);
  Node* words = AddTestConstant(model, texts, "words");
  AddTestNode(model, "Result", {words->output()}, "words_out");
  AddTestNode(model, "Result", {all->output()}, "out2");
  Node* none = AddTestConstant(
      model, Tensor::Allocate(ElementType::kF64, {0, 3}).value(), "none");
  AddTestNode(model, "Result", {none->output()}, "nothing");
  Body& body = *model.FindNode("loop")->bodies()[0];
  body.inputs[0].slicing = Slicing{1, 0, -1, 2, 3};
  body.outputs[0].slicing = Slicing{};
  body.back_edges = {{0, 0}};
  body.current_iteration_parameter = 0;
  return model.Clone();
}

TEST(ModelBytesTest, AModelComesBackWithAllThatIsInIt) {
  const auto model = RichModel();
  ASSERT_TRUE(model->Verify().ok()) << model->Verify();
  const auto read = Read(Write(*model));
  ASSERT_TRUE(read.ok()) << read.status();
  const absl::Status same =
      Model::Compare(*model, **read, /*with_rt_info=*/true);
  EXPECT_TRUE(same.ok()) << same;
  EXPECT_EQ((*read)->Hash(), model->Hash());
  EXPECT_EQ(Write(**read), Write(*model));
}

TEST(ModelBytesTest, NodesMayReadWhatWasCreatedLater) {
  Model model;
  Node* x = AddTestParameter(model, {2}, "x");
  Node* relu = AddTestNode(model, "Relu", {x->output()}, "relu");
  AddTestNode(model, "Result", {relu->output()}, "out");
  Node* later = AddTestNode(model, "Relu", {x->output()}, "later");
  relu->SetInput(0, later->output());
  const auto read = Read(Write(model));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ((*read)->FindNode("relu")->input(0).node->name(), "later");
}

TEST(ModelBytesTest, AllTypesOfConstantsComeBack) {
  for (ElementType type : AllElementTypes()) {
    if (type == ElementType::kString) continue;
    Model model;
    const Tensor value = Tensor::FromDoubles(type, {3}, {1, 0, 1}).value();
    AddTestNode(model, "Result", {AddTestConstant(model, value)->output()});
    const auto read = Read(Write(model));
    ASSERT_TRUE(read.ok()) << ElementTypeName(type) << read.status();
    const absl::Status same = Model::Compare(model, **read);
    EXPECT_TRUE(same.ok()) << ElementTypeName(type) << same;
  }
}

TEST(ModelBytesTest, RealOperationsComeBack) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1,?], element_type: f32} : f32[1,?] "in"  # x
    %k = Constant-0() {value: i64[] {2}}
    %t = TopK-11(%x, %k) {axis: 1, mode: min, sort: index}  # top
    %0 = Result-0(%t)  {}
    %1 = Result-0(%t:1)  {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  ByteWriter writer;
  ASSERT_TRUE(WriteModel(*model, writer).ok());
  ByteReader reader(writer.bytes());
  const auto read = ReadModel(reader);
  ASSERT_TRUE(read.ok()) << read.status();
  const absl::Status same = Model::Compare(*model, **read, true);
  EXPECT_TRUE(same.ok()) << same;
}

TEST(ModelBytesTest, UnknownOperationsAreNamed) {
  ByteWriter writer;
  Model model;
  AddTestNode(model, "Everything", {AddTestParameter(model, {1})->output()},
              "strange");
  ASSERT_TRUE(WriteModel(model, writer).ok());
  ByteReader reader(writer.bytes());
  const absl::Status status = ReadModel(reader).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("layer 'strange': there is no operation Everything-1"));
}

TEST(ModelBytesTest, WhatCannotBeWrittenIsRefused) {
  Model model;
  RtInfo* info = &model.rt_info();
  for (int i = 0; i < 1000; ++i) info = &info->children["x"];
  info->value = "deep";
  ByteWriter writer;
  EXPECT_EQ(WriteModel(model, writer).code(),
            absl::StatusCode::kInvalidArgument);

  OpInfo custom = TestOp("Relu");
  custom.custom_opset = "mine";
  Model other;
  AddTestNode(other, "Relu", {AddTestParameter(other, {1})->output()});
  other.AddUninferred(custom, {other.parameters()[0]->output()}, nullptr,
                      "mine");
  const absl::Status status = WriteModel(other, writer);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("layer 'mine'"));
}

TEST(ModelBytesTest, BytesThatAreCutShortAreRefused) {
  const std::string bytes = Write(*RichModel());
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(Read(bytes.substr(0, size)).ok()) << size;
  }
}

// What is refused has a reason; what is taken is sound, and nothing crashes.
TEST(ModelBytesTest, DamagedBytesAreAnswered) {
  const std::string bytes = Write(*RichModel());
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k <= i % 3; ++k) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const auto model = Read(damaged);
    if (!model.ok()) {
      ASSERT_NE(model.status().message(), "");
      ++refused;
      continue;
    }
    ASSERT_TRUE((*model)->Verify().ok());
    ASSERT_NE((*model)->ToString(), "");
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace dovetail
