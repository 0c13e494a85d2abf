// Requests of one compiled network: many at a time, cancelled, profiled, and
// whose memory they use.
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/testing/network.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Status = ProfilingRecord::Status;

constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [?,3,?,?], element_type: f32}  # in
  %w0 = Parameter-0() {shape: [16,3,3,3], element_type: f32}  # constant_0
  %w1 = Parameter-0() {shape: [16,7], element_type: f32}  # constant_1
  %c = Convolution-1(%x, %w0) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # convolution
  %r = Relu-0(%c) {}  # activation
  %axes = Constant-0() {value: i64[2] {2, 3}}
  %g = ReduceMean-1(%r, %axes) {keep_dims: false}  # mean
  %m = MatMul-0(%g, %w1) {}  # product
  %s = SoftMax-8(%m) {axis: 1}  # probabilities
  %o = Result-0(%s) {})";

// ---- At the same time ----

// Requests of all shapes begin together, so that several want the same plan.
void RunTogether(const Network& network, int threads, int rounds) {
  std::vector<std::thread> users;
  std::vector<std::string> wrong(threads);
  for (int t = 0; t < threads; ++t) {
    users.emplace_back([&, t] {
      const auto request = network.NewRequest();
      for (int round = 0; round < rounds; ++round) {
        const int64_t extent = 4 + (t + round) % 3 * 5;
        const auto inputs = network.Inputs(
            {{1 + round % 2, 3, extent, 8}}, static_cast<unsigned>(t));
        wrong[t] += network.Check(*request, inputs);
      }
    });
  }
  for (std::thread& user : users) user.join();
  for (const std::string& what : wrong) EXPECT_EQ(what, "");
}

TEST(RequestsTest, ManyDoNotDisturbEachOther) {
  for (const char* streams : {"1", "2", "4"}) {
    const Network network(kNetwork, {{"NUM_STREAMS", streams},
                                     {"INFERENCE_NUM_THREADS", "4"}});
    RunTogether(network, 6, 8);
  }
}

TEST(RequestsTest, AsynchronousOnesToo) {
  const Network network(kNetwork,
                        {{"NUM_STREAMS", "3"}, {"INFERENCE_NUM_THREADS", "3"}});
  const auto inputs = network.Inputs({{2, 3, 12, 12}});
  const auto first = network.NewRequest();
  ASSERT_EQ(network.Check(*first, inputs), "");
  const auto want = first->Output(0);
  std::vector<std::unique_ptr<Request>> requests;
  for (int i = 0; i < 12; ++i) {
    requests.push_back(network.NewRequest());
    ASSERT_TRUE(requests.back()->SetInput(0, inputs[0]).ok());
  }
  for (int round = 0; round < 5; ++round) {
    for (const auto& request : requests) {
      ASSERT_TRUE(request->StartAsync().ok());
    }
    for (const auto& request : requests) {
      const absl::Status status = request->Wait();
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_TRUE(request->Output(0)->Equals(*want));
    }
  }
}

TEST(RequestsTest, ACancelledOneRunsAgain) {
  const Network network(kNetwork);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const auto inputs = network.Inputs({{1, 3, 32, 32}});
  ASSERT_TRUE(request->SetInput(0, inputs[0]).ok());
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(request->StartAsync().ok());
    request->Cancel();
    const absl::Status status = request->Wait();
    ASSERT_TRUE(status.ok() || status.code() == absl::StatusCode::kCancelled)
        << status;
  }
  EXPECT_EQ(network.Check(*request, inputs), "");
}

// Nothing else ends this loop within years.
TEST(RequestsTest, CancelEndsALongLoop) {
  const Network network(R"(
    %times = Constant-0() {value: i64[] {1099511627776}}
    %go = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [?,4], element_type: f32}
    %n = Loop-5(%times, %go, %x) {}
      body inputs {2->0} outputs {0->0} back_edges {0->0} {
        %0 = Parameter-0() {}
        %1 = Tanh-0(%0) {}
        %r = Result-0(%1) {}
      }
    %a = Result-0(%n) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->SetInput(0, network.Inputs({{2, 4}})[0]).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  const auto ended = request->WaitFor(std::chrono::milliseconds(20));
  ASSERT_TRUE(ended.ok()) << ended.status();
  EXPECT_FALSE(*ended);
  request->Cancel();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kCancelled);
}

// ---- Profiles ----

TEST(RequestsTest, ProfilesNameLayersAndWhatRanThem) {
  const Network network(kNetwork, {{"PERF_COUNT", "YES"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  for (const int64_t extent : {8, 9}) {
    ASSERT_EQ(network.Check(*request, network.Inputs({{1, 3, extent, 8}})), "");
    const auto records = request->Profiling();
    ASSERT_TRUE(records.ok()) << records.status();
    std::set<std::string> names;
    for (const ProfilingRecord& record : *records) {
      names.insert(record.name);
      if (record.status != Status::kExecuted ||
          record.kind == ProfilingRecord::Kind::kStage) {
        continue;
      }
      EXPECT_NE(record.kernel, "") << record.name;
      EXPECT_NE(record.type, "") << record.name;
      EXPECT_GE(record.duration_ns, 0) << record.name;
    }
    EXPECT_THAT(names, Contains("convolution"));
    EXPECT_THAT(names, Contains("product"));
  }
}

TEST(RequestsTest, ProfilesNothingUnlessAskedTo) {
  const Network network(kNetwork);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  ASSERT_EQ(network.Check(*request, network.Inputs({{1, 3, 8, 8}})), "");
  EXPECT_TRUE(request->Profiling()->empty());
}

// ---- Memory ----

TEST(RequestsTest, OutputsGoWhereTheUserSays) {
  const Network network(kNetwork);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const Tensor mine = Tensor::Allocate(ElementType::kF32, {2, 7}).value();
  ASSERT_TRUE(request->SetOutput(0, mine).ok());
  EXPECT_EQ(network.Check(*request, network.Inputs({{2, 3, 8, 8}})), "");
  EXPECT_EQ(request->Output(0)->raw_data(), mine.raw_data());
  EXPECT_NE(mine.ElementAsDouble(0), 0);
  // Of another shape than the inference gives.
  EXPECT_THAT(network.Check(*request, network.Inputs({{3, 3, 8, 8}})),
              HasSubstr("[3,7]"));
}

// An output where an input is, where a part of an input is, and where another
// output is.
TEST(RequestsTest, TensorsMayShareMemory) {
  const Network network(R"(
    %x = Parameter-0() {shape: [8,8], element_type: f32}
    %y = Parameter-0() {shape: [8,8], element_type: f32}
    %o = Constant-0() {value: i64[2] {1, 0}}
    %t = Transpose-1(%x, %o) {}
    %m = MatMul-0(%x, %y) {}
    %a = Add-1(%t, %y) {}
    %0 = Result-0(%t) {}
    %1 = Result-0(%m) {}
    %2 = Result-0(%a) {})");
  const auto inputs = network.Inputs({{8, 8}, {8, 8}});
  const auto plain = network.NewRequest();
  ASSERT_EQ(network.Check(*plain, inputs), "");
  for (int output = 0; output < 3; ++output) {
    for (int input = 0; input < 2; ++input) {
      const auto request = network.NewRequest();
      const std::vector<Tensor> own = {inputs[0].Clone().value(),
                                       inputs[1].Clone().value()};
      ASSERT_TRUE(request->SetInput(0, own[0]).ok());
      ASSERT_TRUE(request->SetInput(1, own[1]).ok());
      ASSERT_TRUE(request->SetOutput(output, own[input]).ok());
      ASSERT_TRUE(request->Infer().ok());
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(request->Output(i)->Equals(*plain->Output(i)))
            << "output " << i << " when output " << output << " is input "
            << input;
      }
    }
  }
}

TEST(RequestsTest, TensorsMayBePartsOfLargerOnes) {
  const Network network(kNetwork);
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const Tensor large = network.Inputs({{2, 3, 20, 20}})[0];
  const Tensor input = large.Roi({1, 0, 3, 5}, {2, 3, 15, 16}).value();
  ASSERT_FALSE(input.is_contiguous());
  const Tensor place = Tensor::Allocate(ElementType::kF32, {4, 14}).value();
  const Tensor output = place.Roi({2, 3}, {3, 10}).value();
  ASSERT_TRUE(request->SetOutput(0, output).ok());
  ASSERT_TRUE(request->SetInput(0, input).ok());
  ASSERT_TRUE(request->Infer().ok());
  const auto other = network.NewRequest();
  ASSERT_EQ(network.Check(*other, {input.Clone().value()}), "");
  EXPECT_TRUE(output.Clone()->Equals(*other->Output(0)));
  // Around it nothing is written.
  double sum = 0, inside = 0;
  for (int64_t i = 0; i < place.element_count(); ++i) {
    sum += place.ElementAsDouble(i);
  }
  const Tensor copy = output.Clone().value();
  for (int64_t i = 0; i < copy.element_count(); ++i) {
    inside += copy.ElementAsDouble(i);
  }
  EXPECT_DOUBLE_EQ(sum, inside);
}

TEST(RequestsTest, ResultsAreNoViewsOfInputsOrConstants) {
  const Network network(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %c = Constant-0() {value: f32[2] {1, 2}}
    %s = Constant-0() {value: i64[1] {-1}}
    %r = Reshape-1(%x, %s) {special_zero: false}
    %0 = Result-0(%x) {}
    %1 = Result-0(%c) {}
    %2 = Result-0(%r) {}
    %3 = Result-0(%r) {})");
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  const auto inputs = network.Inputs({{2, 3}});
  ASSERT_EQ(network.Check(*request, inputs), "");
  // Who writes into a result changes nothing for the next inference.
  std::set<const void*> places = {inputs[0].raw_data()};
  for (int i = 0; i < 4; ++i) {
    const Tensor result = request->Output(i).value();
    EXPECT_TRUE(places.insert(result.raw_data()).second) << i;
    for (int64_t j = 0; j < result.element_count(); ++j) {
      result.SetElement(j, -77);
    }
  }
  EXPECT_EQ(network.Check(*request, inputs), "");
}

}  // namespace
}  // namespace dovetail::cpu
