// Launches that follow each other and become one.
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/backends/gpu/testing/on_device.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/request/request.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

// Kernels of all shapes of ranges: convolutions, depthwise ones, sums, rows,
// elements one by one.
constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [1,3,30,30], element_type: f32}
  %w0 = Parameter-0() {shape: [20,3,3,3], element_type: f32}  # constant
  %c0 = Convolution-1(%x, %w0) {strides: [2,2], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1]}
  %r0 = Relu-0(%c0) {}
  %w1 = Parameter-0() {shape: [20,1,1,3,3], element_type: f32}  # constant
  %c1 = GroupConvolution-1(%r0, %w1) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1]}
  %w2 = Parameter-0() {shape: [36,20,1,1], element_type: f32}  # constant
  %c2 = Convolution-1(%c1, %w2) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
  %axes = Constant-0() {value: i64[2] {2,3}}
  %m = ReduceMean-1(%c2, %axes) {keep_dims: true}
  %s = Subtract-1(%c2, %m) {}
  %order = Constant-0() {value: i64[4] {0,2,3,1}}
  %t = Transpose-1(%s, %order) {}
  %p = Softmax-1(%t) {axis: 3}
  %w3 = Parameter-0() {shape: [36,10], element_type: f32}  # constant
  %y = MatMul-0(%p, %w3) {transpose_a: false, transpose_b: false}
  %result = Result-0(%y) {}
)";

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

Config ConfigOf(bool joins) {
  PropertyLayers layers;
  layers.call = {{"GPU_JOIN_LAUNCHES", joins ? "YES" : "NO"}};
  layers.read_environment = false;
  return Config::Resolve(Gpu().properties(), layers).value();
}

class JoinedLaunches : public OnShim {
 protected:
  void SetUp() override {
    OnShim::SetUp();
    if (device_ != nullptr && !device_->traits().is_cpu) {
      GTEST_SKIP() << "launches are joined on processors alone";
    }
  }

  void Use(const std::string& text) {
    auto parsed = ParseWithConstants(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    model_ = std::make_unique<Model>(*std::move(parsed));
    std::vector<Shape> shapes;
    for (const Node* parameter : model_->parameters()) {
      shapes.push_back(parameter->port().shape.ToShape().value());
    }
    inputs_ = RandomInputs(*model_, shapes, 1);
    auto want = EvaluateModel(*model_, inputs_, {});
    ASSERT_TRUE(want.ok()) << want.status();
    want_ = *std::move(want);
  }

  std::unique_ptr<Request> NewRequest(bool joins = true) {
    const Config config = ConfigOf(joins);
    const StandaloneCall call(config);
    auto executable = Gpu().Compile(model_->Clone(), call);
    EXPECT_TRUE(executable.ok()) << executable.status();
    if (!executable.ok()) return nullptr;
    return Request::Create(*std::move(executable)).value();
  }

  // What is wrong with the results of so many inferences; empty: nothing.
  std::string Differences(Request& request, int inferences) {
    for (int i = 0; i < inferences; ++i) {
      for (size_t port = 0; port < inputs_.size(); ++port) {
        const absl::Status set =
            request.SetInput(static_cast<int>(port), inputs_[port]);
        if (!set.ok()) return set.ToString();
      }
      const absl::Status status = request.Infer();
      if (!status.ok()) return status.ToString();
      std::vector<Tensor> got;
      for (size_t port = 0; port < want_.size(); ++port) {
        got.push_back(request.Output(static_cast<int>(port)).value());
      }
      std::string difference = FirstDifference(got, want_, 1e-4);
      if (!difference.empty()) return difference;
    }
    return "";
  }

  // Of an inference.
  int64_t Launches(Request& request) {
    shim_->Reset();
    EXPECT_EQ(Differences(request, 1), "");
    return shim_->Calls("clEnqueueNDRangeKernel");
  }

  std::unique_ptr<Model> model_;
  std::vector<Tensor> inputs_, want_;
};

TEST_F(JoinedLaunches, AreOne) {
  Use(kNetwork);
  if (HasFatalFailure()) return;
  const auto apart = NewRequest(/*joins=*/false), joined = NewRequest();
  ASSERT_TRUE(apart != nullptr && joined != nullptr);
  EXPECT_GE(Launches(*apart), 7);
  EXPECT_EQ(Launches(*joined), 1);
  EXPECT_EQ(Differences(*joined, 20), "");
}

TEST_F(JoinedLaunches, RunBesideEachOther) {
  Use(kNetwork);
  if (HasFatalFailure()) return;
  // More requests than the device has threads.
  std::vector<std::string> differences(
      static_cast<size_t>(device_->traits().compute_units) + 3);
  std::vector<std::thread> threads;
  for (std::string& difference : differences) {
    threads.emplace_back([this, &difference] {
      const auto request = NewRequest();
      difference = request == nullptr ? "none" : Differences(*request, 50);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& difference : differences) EXPECT_EQ(difference, "");
}

// One group cannot have the buffers of all, as a kernel has so many arguments.
TEST_F(JoinedLaunches, AreSeveralWhereBuffersAreMany) {
  std::string text = "%x0 = Parameter-0() {shape: [4,8], element_type: f32}\n";
  constexpr int kCount = 150;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "%w", i,
                    " = Parameter-0() {shape: [8,8], element_type: f32}  # "
                    "constant\n%m",
                    i, " = MatMul-0(%x", i, ", %w", i,
                    ") {transpose_a: false, transpose_b: false}\n%x", i + 1,
                    " = Softmax-1(%m", i, ") {axis: 1}\n");
  }
  absl::StrAppend(&text, "%r = Result-0(%x", kCount, ") {}\n");
  Use(text);
  if (HasFatalFailure()) return;
  const auto request = NewRequest();
  ASSERT_NE(request, nullptr);
  const int64_t launches = Launches(*request);
  EXPECT_GE(launches, 2);
  EXPECT_LE(launches, 8);
}

// The host computes the inverse.
TEST_F(JoinedLaunches, EndWhereTheHostGoesOn) {
  Use(R"(
    %x = Parameter-0() {shape: [3,4,4], element_type: f32}
    %a = Exp-0(%x) {}
    %s = Softmax-1(%a) {axis: 1}
    %i = Inverse-14(%s) {adjoint: false}
    %y = Softmax-1(%i) {axis: 0}
    %axes = Constant-0() {value: i64[1] {0}}
    %z = ReduceSum-1(%y, %axes) {keep_dims: false}
    %r = Result-0(%z) {}
  )");
  if (HasFatalFailure()) return;
  const auto request = NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(Launches(*request), 2);
  EXPECT_EQ(Differences(*request, 3), "");
}

TEST_F(JoinedLaunches, LeaveTensorsOfTheDeviceWhereTheyAre) {
  Use(kNetwork);
  if (HasFatalFailure()) return;
  const auto request = NewRequest();
  ASSERT_NE(request, nullptr);
  const Config config = ConfigOf(true);
  const auto context = Gpu().CreateContext({}, StandaloneCall(config));
  ASSERT_TRUE(context.ok()) << context.status();
  const Tensor in =
      (*context)->NewTensor(ElementType::kF32, inputs_[0].shape()).value();
  const Tensor out =
      (*context)->NewTensor(ElementType::kF32, want_[0].shape()).value();
  ASSERT_TRUE(in.CopyFrom(inputs_[0]).ok());
  ASSERT_TRUE(request->SetInput(0, in).ok());
  ASSERT_TRUE(request->SetOutput(0, out).ok());
  shim_->Reset();
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(shim_->HostCopies(), 0);
  EXPECT_EQ(FirstDifference({out.Clone().value()}, want_, 1e-4), "");
}

}  // namespace
}  // namespace dovetail::gpu
