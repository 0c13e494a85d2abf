// HETERO on two made-up accelerators, A and B.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/hetero/hetero_plugin.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class HeteroTest : public testing::Test {
 protected:
  HeteroTest() : core_(&registry_) {
    for (const auto& device : {a_, b_}) {
      EXPECT_TRUE(registry_
                      .Register(device->name(),
                                [device] { return MakeFakePlugin(device); })
                      .ok());
    }
    EXPECT_TRUE(
        registry_.Register("HETERO", [] { return MakeHeteroPlugin(); }).ok());
  }

  // ChainModel with its Relu on a device of its own.
  static Model WithRelu(const std::string& affinity) {
    Model model = ChainModel();
    model.FindNode("relu")->rt_info().Set({"affinity"}, affinity);
    return model;
  }

  absl::Status ErrorOf(const Model& model, const std::string& device,
                       const PropertyMap& properties = {}) const {
    return core_.Compile(model, device, properties).status();
  }

  static void ExpectRight(const CompiledModel& chain) {
    auto request = chain.NewRequest();
    ASSERT_TRUE(request.ok()) << request.status();
    ASSERT_TRUE(request->SetInput("x", ChainInput()).ok());
    ASSERT_TRUE(request->Infer().ok());
    const Tensor y = request->Output("y").value();
    const std::vector<double> want = ChainOutput();
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(y.data<float>()[i], want[i]) << i;
    }
  }

  const std::shared_ptr<FakeDevice> a_ = std::make_shared<FakeDevice>("A");
  const std::shared_ptr<FakeDevice> b_ = std::make_shared<FakeDevice>("B");
  PluginRegistry registry_;
  Core core_;
};

// ---- Which layer runs where ----

TEST_F(HeteroTest, TheFirstDeviceRunsWhatItCan) {
  const auto chain = core_.Compile(ChainModel(), "HETERO:A,B");
  ASSERT_TRUE(chain.ok()) << chain.status();
  EXPECT_EQ(chain->GetProperty("EXECUTION_DEVICES").value(), "A");
  ExpectRight(*chain);
  a_->RefuseOp("Relu", "A has no comparisons");
  const auto mixed = core_.Compile(ChainModel(), "HETERO:A,B");
  ASSERT_TRUE(mixed.ok()) << mixed.status();
  EXPECT_EQ(mixed->GetProperty("EXECUTION_DEVICES").value(), "A B");
  ExpectRight(*mixed);
}

TEST_F(HeteroTest, AffinitiesComeFirst) {
  const auto chain = core_.Compile(WithRelu("B"), "HETERO:A,B");
  ASSERT_TRUE(chain.ok()) << chain.status();
  EXPECT_EQ(chain->GetProperty("EXECUTION_DEVICES").value(), "A B");
  ExpectRight(*chain);
  EXPECT_THAT(ErrorOf(WithRelu("C"), "HETERO:A,B").message(),
              AllOf(HasSubstr("'relu'"), HasSubstr("affinity is 'C'"),
                    HasSubstr("A, B")));
  b_->RefuseOp("Relu", "B has no comparisons");
  EXPECT_THAT(ErrorOf(WithRelu("B"), "HETERO:A,B").message(),
              AllOf(HasSubstr("'relu'"), HasSubstr("B has no comparisons")));
}

TEST_F(HeteroTest, WhatNobodyRunsIsListedWithAllReasons) {
  a_->RefuseOp("Relu", "A has no comparisons");
  b_->RefuseOp("Relu", "B has none either");
  const absl::Status status = ErrorOf(ChainModel(), "HETERO:A,B");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("'relu'"), HasSubstr("A has no comparisons"),
                    HasSubstr("B has none either")));
  const auto query = core_.Query(ChainModel(), "HETERO:A,B");
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_FALSE(query->Find("relu")->reason.ok());
  EXPECT_EQ(query->Find("add")->device, "A");
}

// The axes are known although another device has the node that gives them; a
// reduction of axes that nobody knows has no decomposition.
TEST_F(HeteroTest, APartKnowsWhatTheWholeModelKnows) {
  auto model = ParseModelText(R"(
    %x = Parameter-0() {element_type: f32, shape: [2,3]}  # x
    %b = Constant-0() {value: i64[] {1}}
    %e = Constant-0() {value: i64[] {2}}
    %d = Constant-0() {value: i64[] {1}}
    %a = Range-4(%b, %e, %d) {output_type: i64}  # axes
    %m = ReduceMean-1(%x, %a) {keep_dims: false}  # mean
    %o = Result-0(%m) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  model->FindNode("axes")->rt_info().Set({"affinity"}, "A");
  model->FindNode("mean")->rt_info().Set({"affinity"}, "B");
  const auto compiled = core_.Compile(*model, "HETERO:A,B");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(compiled->GetProperty("EXECUTION_DEVICES").value(), "B");
  auto request = compiled->NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  const Tensor x =
      Tensor::FromDoubles(ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 9})
          .value();
  ASSERT_TRUE(request->SetInput(0, x).ok());
  ASSERT_TRUE(request->Infer().ok());
  const Tensor mean = request->Output(0).value();
  EXPECT_EQ(mean.data<float>()[0], 2);
  EXPECT_EQ(mean.data<float>()[1], 6);
}

TEST_F(HeteroTest, AQueryTellsOfTheParts) {
  const auto query = core_.Query(WithRelu("B"), "HETERO:A,B");
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_EQ(query->Find("add")->part, 0);
  EXPECT_EQ(query->Find("relu")->part, 1);
  EXPECT_EQ(query->Find("scale")->part, 2);
  EXPECT_EQ(query->Find("in")->part, -1);
  EXPECT_THAT(query->notes,
              testing::Contains(HasSubstr("part 1 runs on B: 1 layer")));
}

TEST_F(HeteroTest, AVariableStaysTogether) {
  Model model = CounterModel();
  model.FindNode("add")->rt_info().Set({"affinity"}, "B");
  const auto counter = core_.Compile(model, "HETERO:A,B");
  ASSERT_TRUE(counter.ok()) << counter.status();
  EXPECT_EQ(counter->GetProperty("EXECUTION_DEVICES").value(), "B");
  model.FindNode("read")->rt_info().Set({"affinity"}, "A");
  EXPECT_THAT(ErrorOf(model, "HETERO:A,B").message(),
              AllOf(HasSubstr("'read'"), HasSubstr("one variable")));
}

// ---- Names of devices ----

TEST_F(HeteroTest, ListsThatAreWrong) {
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO").message(),
              HasSubstr("needs a list of devices, such as HETERO:GPU,CPU"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO:A,A").message(),
              HasSubstr("'A' is there twice"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO:A,").message(),
              HasSubstr("is empty"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO:A,NONE").message(),
              HasSubstr("'NONE'"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO:HETERO:A").message(),
              HasSubstr("made of itself"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO:").message(),
              HasSubstr("no list of devices follows"));
  EXPECT_THAT(ErrorOf(ChainModel(), "HETERO.0:A").message(),
              HasSubstr("HETERO has no ids"));
}

TEST_F(HeteroTest, TheListMayBeAProperty) {
  const auto chain =
      core_.Compile(ChainModel(), "HETERO", {{"TARGET_FALLBACK", "B,A"}});
  ASSERT_TRUE(chain.ok()) << chain.status();
  EXPECT_EQ(chain->GetProperty("EXECUTION_DEVICES").value(), "B");
  EXPECT_EQ(chain->GetProperty("TARGET_FALLBACK").value(), "B,A");
  ExpectRight(*chain);
}

// ---- Properties ----

TEST_F(HeteroTest, PropertiesReachTheParts) {
  const std::string both = "HETERO:A,B";
  EXPECT_THAT(ErrorOf(ChainModel(), both, {{"NO_SUCH_KEY", "1"}}).message(),
              HasSubstr("NO_SUCH_KEY"));
  EXPECT_THAT(
      ErrorOf(ChainModel(), both, {{"HETERO_DUMP_GRAPH_DOT", "YES"}}).message(),
      AllOf(HasSubstr("HETERO_DUMP_GRAPH_DOT"), HasSubstr("name of a file")));
  EXPECT_THAT(ErrorOf(ChainModel(), both, {{"DEVICE_PROPERTIES", "{C:{X:1}}"}})
                  .message(),
              AllOf(HasSubstr("names 'C'"), HasSubstr("A, B")));
  EXPECT_THAT(
      ErrorOf(ChainModel(), both, {{"DEVICE_PROPERTIES", "{A:{NO_KEY:1}}"}})
          .message(),
      AllOf(HasSubstr("device A"), HasSubstr("NO_KEY")));
  const auto profiled =
      core_.Compile(WithRelu("B"), both, {{"PERF_COUNT", "YES"}});
  ASSERT_TRUE(profiled.ok()) << profiled.status();
  auto request = profiled->NewRequest();
  ASSERT_TRUE(request->SetInput("x", ChainInput()).ok());
  ASSERT_TRUE(request->Infer().ok());
  std::vector<std::string> devices;
  const auto records = request->Profiling();
  for (const ProfilingRecord& record : *records) {
    if (record.name == "relu" || record.name == "add") {
      devices.push_back(record.device);
    }
  }
  EXPECT_THAT(devices, testing::ElementsAre("A", "B"));
}

TEST_F(HeteroTest, TheCacheIsOfTheWhole) {
  const std::string folder = testing::TempDir() + "/hetero_cache";
  const auto chain =
      core_.Compile(WithRelu("B"), "HETERO:A,B", {{"CACHE_DIR", folder}});
  ASSERT_TRUE(chain.ok()) << chain.status();
  EXPECT_EQ(chain->GetProperty("CACHE_DIR").value(), folder);
  const auto again =
      core_.Compile(WithRelu("B"), "HETERO:A,B", {{"CACHE_DIR", folder}});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->GetProperty("LOADED_FROM_CACHE").value(), "YES");
  ExpectRight(*again);
}

// ---- Exports ----

TEST_F(HeteroTest, PartsAreExportedAndImported) {
  const auto chain = core_.Compile(WithRelu("B"), "HETERO:A,B");
  ASSERT_TRUE(chain.ok()) << chain.status();
  const auto bytes = chain->ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto imported = core_.ImportFromString(*bytes, "HETERO:A,B");
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(imported->GetProperty("EXECUTION_DEVICES").value(), "A B");
  ExpectRight(*imported);
  const absl::Status status =
      core_.ImportFromString(*bytes, "HETERO:A").status();
  EXPECT_THAT(status.message(), HasSubstr("the model was exported for"))
      << status;
}

// ---- The graph that runs ----

// One graph, whose layers know their devices.
TEST_F(HeteroTest, ShowsThePartsAsOneGraph) {
  const auto chain = core_.Compile(WithRelu("B"), "HETERO:A,B");
  ASSERT_TRUE(chain.ok()) << chain.status();
  ASSERT_NE(chain->runtime_model(), nullptr);
  EXPECT_TRUE(chain->runtime_model()->Verify().ok());
  EXPECT_EQ(chain->runtime_model()->name(), "chain");
  const auto graph = chain->DescribeExecution();
  ASSERT_EQ(graph->parameters().size(), 1u);
  ASSERT_EQ(graph->results().size(), 1u);
  const Node* node = graph->results()[0]->input(0).node;
  for (const auto& [layer, device] :
       {std::pair("scale", "A"), std::pair("relu", "B"),
        std::pair("add", "A")}) {
    EXPECT_EQ(node->name(), layer);
    const std::string* const where = node->rt_info().Find({"executionDevice"});
    ASSERT_NE(where, nullptr) << layer;
    EXPECT_EQ(*where, device) << layer;
    node = node->input(0).node;
  }
  EXPECT_EQ(node, graph->parameters()[0]);
}

// ---- Inferences ----

// What a model's results may be besides a layer's output.
TEST_F(HeteroTest, ResultsThatNoPartComputes) {
  const Model model = ModelOf(R"(model "straight"
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"  # in
    %c = Constant-0() {value: f32[2] {5, 6}} : f32[2] "c"  # five
    %r = Relu-0(%x) {} : f32[2] "r"  # relu
    %0 = Result-0(%x) {}  # out_x
    %1 = Result-0(%c) {}  # out_c
    %2 = Result-0(%r) {}  # out_r
    %3 = Result-0(%r) {}  # out_r_again
  )");
  const auto compiled = core_.Compile(model, "HETERO:A,B");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest();
  ASSERT_TRUE(request->SetInput(0, Floats({2}, {-1, 2})).ok());
  ASSERT_TRUE(request->Infer().ok());
  const float want[4][2] = {{-1, 2}, {5, 6}, {0, 2}, {0, 2}};
  for (int i = 0; i < 4; ++i) {
    const Tensor output = request->Output(i).value();
    EXPECT_EQ(output.data<float>()[0], want[i][0]) << i;
    EXPECT_EQ(output.data<float>()[1], want[i][1]) << i;
  }
}

TEST_F(HeteroTest, AFaultInALaterPartLeavesVariablesAsTheyWere) {
  Model model = ModelOf(R"(model "counter"
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"  # in
    %0 = Constant-0() {value: f32[2] {0, 0}} : f32[2]  # initial
    %v = ReadValue-6(%0) {variable_id: "total", variable_type: f32, variable_shape: [2]} : f32[2]  # read
    %t = Add-1(%v, %x) {auto_broadcast: numpy} : f32[2]  # add
    %w = Assign-6(%t) {variable_id: "total"} : f32[2]  # assign
    %r = Relu-0(%t) {} : f32[2] "y"  # relu
    %o = Result-0(%r) {}  # out
  )");
  model.FindNode("relu")->rt_info().Set({"affinity"}, "B");
  const auto compiled = core_.Compile(model, "HETERO:A,B");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest();
  ASSERT_TRUE(request->SetInput("x", Floats({2}, {1, 2})).ok());
  ASSERT_TRUE(request->Infer().ok());
  b_->FailRun(absl::DataLossError("bits flipped"), "relu");
  EXPECT_THAT(request->Infer().message(), HasSubstr("bits flipped"));
  b_->FailRun(absl::OkStatus());
  EXPECT_EQ(request->Variables()->at(0).value.data<float>()[1], 2);
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(request->Output("y")->data<float>()[1], 4);
}

}  // namespace
}  // namespace dovetail
