// Devices made of devices made of devices, over two made-up accelerators, A and
// B: whatever is accepted works.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/auto/auto_plugin.h"
#include "dovetail/backends/batch/batch_plugin.h"
#include "dovetail/backends/hetero/hetero_plugin.h"
#include "dovetail/backends/multi/multi_plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class NestedDevicesTest : public testing::Test {
 protected:
  NestedDevicesTest() : core_(&registry_) {
    Add("A", [this] { return MakeFakePlugin(a_); });
    Add("B", [this] { return MakeFakePlugin(b_); });
    Add("AUTO", &MakeAutoPlugin);
    Add("BATCH", &MakeBatchPlugin);
    Add("HETERO", &MakeHeteroPlugin);
    Add("MULTI", &MakeMultiPlugin);
  }
  // BATCH and AUTO compile in the background.
  ~NestedDevicesTest() override {
    a_->WaitUntilUnused();
    b_->WaitUntilUnused();
  }

  template <typename Make>
  void Add(const std::string& name, const Make& make) {
    EXPECT_TRUE(registry_.Register(name, make).ok());
  }

  const std::shared_ptr<FakeDevice> a_ = std::make_shared<FakeDevice>("A");
  const std::shared_ptr<FakeDevice> b_ = std::make_shared<FakeDevice>("B");
  PluginRegistry registry_;
  Core core_;
};

class NestingTest : public NestedDevicesTest,
                    public testing::WithParamInterface<std::string> {
 protected:
  CompiledModel Compile(const Model& model) const {
    auto compiled = core_.Compile(model, GetParam());
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }
};

// Several at a time, again and again.
TEST_P(NestingTest, RequestsAreAnswered) {
  const CompiledModel chain = Compile(ChainModel());
  std::vector<InferRequest> requests;
  for (int i = 0; i < 4; ++i) {
    requests.push_back(chain.NewRequest().value());
    ASSERT_TRUE(requests.back().SetInput("x", ChainInput()).ok());
  }
  for (int round = 0; round < 3; ++round) {
    for (InferRequest& request : requests) {
      ASSERT_TRUE(request.StartAsync().ok());
    }
    for (InferRequest& request : requests) {
      const absl::Status status = request.Wait();
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(ToDoubleVector(request.Output("y").value()), ChainOutput());
    }
  }
}

TEST_P(NestingTest, ShapesMayBeDynamic) {
  InferRequest request = Compile(DynamicModel()).NewRequest().value();
  for (const int64_t rows : {1, 3}) {
    const std::vector<double> x(static_cast<size_t>(3 * rows), -1 + rows);
    ASSERT_TRUE(request.SetInput("x", Floats({rows, 3}, x)).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_EQ(ToDoubleVector(request.Output("y").value()), x);
  }
}

TEST_P(NestingTest, VariablesAreARequestsOwn) {
  const CompiledModel counter = Compile(CounterModel());
  InferRequest one = counter.NewRequest().value();
  InferRequest other = counter.NewRequest().value();
  for (InferRequest* request : {&one, &other}) {
    ASSERT_TRUE(request->SetInput("x", Floats({2}, {1, 2})).ok());
  }
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(one.Infer().ok());
    EXPECT_EQ(one.Output("y")->data<float>()[1], 2 * i);
  }
  ASSERT_TRUE(other.Infer().ok());
  EXPECT_EQ(other.Output("y")->data<float>()[1], 2);
}

TEST_P(NestingTest, ErrorsAreTold) {
  const CompiledModel chain = Compile(ChainModel());
  InferRequest request = chain.NewRequest().value();
  ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
  a_->FailRun(absl::DataLossError("bits flipped"));
  b_->FailRun(absl::DataLossError("bits flipped"));
  const absl::Status status = request.Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  a_->FailRun(absl::OkStatus());
  b_->FailRun(absl::OkStatus());
  EXPECT_TRUE(request.Infer().ok());
}

INSTANTIATE_TEST_SUITE_P(
    Devices, NestingTest,
    testing::Values("AUTO:BATCH:A(2)", "AUTO:HETERO:A,B", "AUTO:MULTI:A,B",
                    "BATCH:AUTO:A,B(2)", "BATCH:HETERO:A,B(2)",
                    "BATCH:MULTI:A,B(2)", "HETERO:A,AUTO:B", "HETERO:A,MULTI:B",
                    "HETERO:AUTO:A,B", "HETERO:BATCH:A(2)", "HETERO:MULTI:A,B",
                    "MULTI:A,HETERO:B", "MULTI:AUTO:A,B", "MULTI:BATCH:A(2)",
                    "MULTI:HETERO:A,B", "BATCH:HETERO:MULTI:A,B(2)",
                    "AUTO:MULTI:HETERO:A,B"));

// The same kind within itself, at any depth.
TEST_F(NestedDevicesTest, ADeviceOfItselfIsRefused) {
  for (const char* const device :
       {"AUTO:AUTO:A", "BATCH:BATCH:A(2)(2)", "HETERO:A,HETERO:B",
        "MULTI:MULTI:A", "HETERO:MULTI:HETERO:A", "AUTO:BATCH:AUTO:A(2)"}) {
    EXPECT_THAT(core_.Compile(ChainModel(), device).status().message(),
                HasSubstr("made of itself"))
        << device;
  }
}

// With the list that it stands in, and what there is in its place.
TEST_F(NestedDevicesTest, ADeviceThatThereIsNotIsNamed) {
  const auto error = [&](const std::string& device) {
    return std::string(core_.Compile(ChainModel(), device).status().message());
  };
  for (const char* const device :
       {"AUTO:A,NONE", "BATCH:NONE(4)", "HETERO:A,NONE", "MULTI:NONE(2),A"}) {
    EXPECT_THAT(error(device),
                StartsWith(absl::StrCat("device ", device,
                                        ": there is no device 'NONE'; the "
                                        "devices are: A, AUTO, B, BATCH")));
  }
  EXPECT_THAT(error("HETERO:A,MULTI:B,NONE"),
              StartsWith("device HETERO:A,MULTI:B,NONE: device MULTI:B,NONE: "
                         "there is no device 'NONE'; "));
  EXPECT_THAT(error("HETERO:A,B.7"),
              StartsWith("device HETERO:A,B.7: there is no device B.7; "));
}

}  // namespace
}  // namespace dovetail
