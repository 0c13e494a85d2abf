// Asynchronous inference: callbacks, cancelling, many requests at a time.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/interpreter/testing/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

constexpr char kTwice[] = R"(
  %x = Parameter-0() {shape: [?], element_type: f32}
  %y = Add-1(%x, %x) {}
  %out = Result-0(%y) {}
)";

TEST(AsyncTest, CallsBackWithTheResultReady) {
  const auto request = RequestFor(kTwice);
  ASSERT_NE(request, nullptr);
  std::vector<double> seen;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    if (status.ok()) seen = OutputOf(*request);
                  })
                  .ok());
  ASSERT_TRUE(request->SetInput(0, Floats({2}, {1, 2})).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_THAT(seen, ElementsAre(2, 4));
}

TEST(AsyncTest, ACallbackMayStartTheNext) {
  const auto request = RequestFor(kTwice);
  ASSERT_NE(request, nullptr);
  std::atomic<int> left = 5;
  ASSERT_TRUE(request->SetInput(0, Floats({1}, {1})).ok());
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    if (!status.ok() || --left == 0) return;
                    if (!request->SetInput(0, *request->Output(0)).ok()) return;
                    request->StartAsync().IgnoreError();
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  while (left > 0) ASSERT_TRUE(request->Wait().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_THAT(OutputOf(*request), ElementsAre(32));
}

TEST(AsyncTest, ErrorsComeBackByWaitAndCallback) {
  const auto request = RequestFor(kTwice);
  ASSERT_NE(request, nullptr);
  absl::Status seen;
  ASSERT_TRUE(
      request->SetCallback([&](const absl::Status& status) { seen = status; })
          .ok());
  ASSERT_TRUE(request->StartAsync().ok());  // the input lacks
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(seen.code(), absl::StatusCode::kFailedPrecondition);
}

// So many layers that cancelling comes long before the last.
std::string ManyLayers(int count) {
  std::string text =
      "%0 = Parameter-0() {shape: [100000], element_type: f32}\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%", i + 1, " = ", i % 2 == 0 ? "Sin" : "Cos",
                    "-0(%", i, ") {}\n");
  }
  absl::StrAppend(&text, "%out = Result-0(%", count, ") {}\n");
  return text;
}

TEST(AsyncTest, CancelEndsAnInferenceBetweenLayers) {
  const auto request = RequestFor(ManyLayers(1000), {{"PERF_COUNT", "YES"}});
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->StartAsync().ok());
  request->Cancel();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kCancelled);
  const auto records = request->Profiling();
  ASSERT_TRUE(records.ok());
  const ProfilingRecord* last_layer = nullptr;
  for (const ProfilingRecord& record : *records) {
    if (record.kind == ProfilingRecord::Kind::kLayer) last_layer = &record;
  }
  if (last_layer != nullptr) {
    EXPECT_EQ(last_layer->status, ProfilingRecord::Status::kNotRun);
  }
}

TEST(AsyncTest, ACancelledRequestCanRunAgain) {
  const auto request = RequestFor(kTwice);
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->SetInput(0, Floats({1}, {3})).ok());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(request->StartAsync().ok());
    request->Cancel();
    const absl::Status status = request->Wait();
    ASSERT_TRUE(status.ok() || status.code() == absl::StatusCode::kCancelled)
        << status;
  }
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_THAT(OutputOf(*request), ElementsAre(6));
}

// Loops large enough to be cut into parts.
TEST(AsyncTest, ManyRequestsDoNotDisturbEachOther) {
  for (const char* streams : {"1", "3"}) {
    const auto executable = CompileText(
        kTwice, {{"NUM_STREAMS", streams}, {"INFERENCE_NUM_THREADS", "6"}});
    ASSERT_TRUE(executable.ok()) << executable.status();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const auto request = Request::Create(*executable).value();
        const int64_t size = 20000 + t;
        const Tensor input = Floats({size}, std::vector<double>(size, t + 1));
        if (!request->SetInput(0, input).ok()) ++wrong;
        for (int i = 0; i < 10; ++i) {
          const absl::Status status =
              i % 2 == 0 ? request->Infer() : request->StartAsync();
          if (!status.ok() || !request->Wait().ok()) ++wrong;
          const Tensor output = *request->Output(0);
          if (output.element_count() != size) ++wrong;
          for (float value : output.span<float>()) {
            if (value != 2.0f * static_cast<float>(t + 1)) ++wrong;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << streams;
  }
}

TEST(AsyncTest, HintsDecideHowManyRequestsAreBest) {
  const auto metric = [](const PropertyMap& properties) {
    const auto executable = CompileText(kTwice, properties);
    return executable.ok() ? (*executable)
                                 ->GetMetric("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
                                 .value()
                           : std::string(executable.status().message());
  };
  EXPECT_EQ(metric({}), "1");
  EXPECT_EQ(metric({{"NUM_STREAMS", "3"}}), "3");
  EXPECT_EQ(metric({{"PERFORMANCE_HINT", "THROUGHPUT"},
                    {"INFERENCE_NUM_THREADS", "4"}}),
            "4");
}

}  // namespace
}  // namespace dovetail
