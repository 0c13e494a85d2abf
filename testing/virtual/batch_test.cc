// BATCH on a made-up accelerator, A.
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/batch/batch_plugin.h"
#include "dovetail/backends/hetero/hetero_plugin.h"
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

constexpr absl::string_view kReason = "AUTO_BATCH_REASON";
// So long that nothing in a test waits for it.
const PropertyMap kForever = {{"AUTO_BATCH_TIMEOUT", "3600000"}};

class BatchTest : public testing::Test {
 protected:
  BatchTest() : core_(&registry_) {
    const auto device = a_;
    EXPECT_TRUE(
        registry_.Register("A", [device] { return MakeFakePlugin(device); })
            .ok());
    EXPECT_TRUE(
        registry_.Register("BATCH", [] { return MakeBatchPlugin(); }).ok());
  }

  // Sizes of batches are compiled for in the background.
  ~BatchTest() override { a_->WaitUntilUnused(); }

  CompiledModel Compile(const Model& model, const std::string& device,
                        const PropertyMap& properties = kForever) const {
    auto compiled = core_.Compile(model, device, properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  static std::vector<InferRequest> Requests(const CompiledModel& model,
                                            int count) {
    std::vector<InferRequest> requests;
    for (int i = 0; i < count; ++i) {
      requests.push_back(model.NewRequest().value());
    }
    return requests;
  }

  // ChainModel's input and output with a number added to each element.
  static Tensor InputOf(int number) {
    return Floats({2, 3}, std::vector<double>(6, number));
  }
  static void ExpectOutputOf(InferRequest& request, int number) {
    const Tensor y = request.Output("y").value();
    for (const float value : y.span<float>()) {
      EXPECT_EQ(value, 2 * (number + 1));
    }
  }

  // So many of eight requests.
  static void ExpectFewRun(const CompiledModel& chain, int count) {
    std::vector<InferRequest> requests = Requests(chain, 8);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(requests[i].SetInput("x", InputOf(count + i)).ok());
      ASSERT_TRUE(requests[i].StartAsync().ok());
    }
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(requests[i].Wait().ok());
      ExpectOutputOf(requests[i], count + i);
    }
  }

  const std::shared_ptr<FakeDevice> a_ = std::make_shared<FakeDevice>("A");
  PluginRegistry registry_;
  Core core_;
};

// ---- Gathering ----

TEST_F(BatchTest, AFullBatchIsOneLaunch) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(4)");
  EXPECT_EQ(chain.GetProperty("EXECUTION_DEVICES").value(), "A");
  EXPECT_EQ(chain.GetProperty("OPTIMAL_BATCH_SIZE").value(), "4");
  EXPECT_EQ(chain.GetProperty(kReason).value(), "");
  std::vector<InferRequest> requests = Requests(chain, 8);
  for (int round = 0; round < 3; ++round) {
    const int64_t before = a_->launches();
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(requests[i].SetInput("x", InputOf(10 * round + i)).ok());
      ASSERT_TRUE(requests[i].StartAsync().ok());
    }
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(requests[i].Wait().ok());
      ExpectOutputOf(requests[i], 10 * round + i);
    }
    EXPECT_EQ(a_->launches() - before, 2);
  }
}

// The four requests' own tensors are one memory, a row each.
TEST_F(BatchTest, OwnTensorsAreRowsOfTheBatch) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(4)");
  std::vector<InferRequest> requests = Requests(chain, 4);
  const auto* const first =
      static_cast<const char*>(requests[0].Input("x").value().address());
  for (int i = 0; i < 4; ++i) {
    const Tensor x = requests[i].Input("x").value();
    EXPECT_EQ(static_cast<const char*>(x.address()) - first, i * 24);
    EXPECT_EQ(x.shape(), Shape({2, 3}));
    ASSERT_TRUE(x.CopyFrom(InputOf(i)).ok());
    ASSERT_TRUE(requests[i].StartAsync().ok());
  }
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(requests[i].Wait().ok());
    ExpectOutputOf(requests[i], i);
  }
}

// Of two memories: what the others have there stays as it is.
TEST_F(BatchTest, AMixedBatchTouchesNobodyElsesRows) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 4);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(requests[i].Input("x").value().CopyFrom(InputOf(i)).ok());
  }
  for (const int i : {0, 2}) ASSERT_TRUE(requests[i].StartAsync().ok());
  for (const int i : {0, 2}) {
    ASSERT_TRUE(requests[i].Wait().ok());
    ExpectOutputOf(requests[i], i);
  }
  for (const int i : {1, 3}) {
    EXPECT_TRUE(requests[i].Input("x").value().Equals(InputOf(i)));
    EXPECT_EQ(requests[i].Output("y").value().ElementAsDouble(0), 0);
  }
}

TEST_F(BatchTest, ARequestAloneWaitsForNobody) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(4)");
  std::vector<InferRequest> requests = Requests(chain, 3);
  ASSERT_TRUE(requests[0].StartAsync().ok());
  ASSERT_TRUE(requests[1].StartAsync().ok());
  EXPECT_FALSE(requests[0].WaitFor(std::chrono::milliseconds(5)).value());
  requests.pop_back();  // nobody else is there now
  EXPECT_TRUE(requests[0].Wait().ok());
  EXPECT_TRUE(requests[1].Wait().ok());
  EXPECT_EQ(a_->launches(), 1);
}

TEST_F(BatchTest, AtTheTimeOutWhatIsThereRuns) {
  const CompiledModel chain =
      Compile(ChainModel(), "BATCH:A(4)", {{"AUTO_BATCH_TIMEOUT", "2"}});
  std::vector<InferRequest> requests = Requests(chain, 4);
  for (const int count : {1, 2, 3}) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(requests[i].SetInput("x", InputOf(count + i)).ok());
      ASSERT_TRUE(requests[i].StartAsync().ok());
    }
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(requests[i].Wait().ok());
      ExpectOutputOf(requests[i], count + i);
    }
  }
}

// It runs in a larger one for as long as that takes, for ever if need be.
TEST_F(BatchTest, ASizeBetweenIsCompiledWhenItIsWanted) {
  const PropertyMap soon = {{"AUTO_BATCH_TIMEOUT", "2"}};
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(8)", soon);
  const CompiledModel refused = Compile(ChainModel(), "BATCH:A(8)", soon);
  a_->HoldCompile();
  ExpectFewRun(chain, 3);
  ExpectFewRun(chain, 2);
  a_->ReleaseCompile();
  a_->FailCompile(absl::InternalError("full"));
  for (const int count : {2, 3, 2}) ExpectFewRun(refused, count);
}

TEST_F(BatchTest, AnExportHasTheSizesBetween) {
  const PropertyMap soon = {{"AUTO_BATCH_TIMEOUT", "2"}};
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(8)", soon);
  const std::string bytes = chain.ExportToString().value();
  const auto imported = core_.ImportFromString(bytes, "BATCH:A(8)", soon);
  ASSERT_TRUE(imported.ok()) << imported.status();
  a_->FailCompile(absl::InternalError("there is nothing left to compile"));
  for (const int count : {2, 3, 8}) ExpectFewRun(*imported, count);
  EXPECT_EQ(imported->ExportToString().value(), bytes);
}

TEST_F(BatchTest, ANewTimeOutIsForThoseWhoWaitToo) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(4)");
  std::vector<InferRequest> requests = Requests(chain, 2);
  ASSERT_TRUE(requests[0].StartAsync().ok());
  ASSERT_TRUE(chain.SetProperty("AUTO_BATCH_TIMEOUT", "1").ok());
  EXPECT_EQ(chain.GetProperty("AUTO_BATCH_TIMEOUT").value(), "1");
  EXPECT_TRUE(requests[0].Wait().ok());
  EXPECT_TRUE(requests[1].Infer().ok());
}

TEST_F(BatchTest, ManyThreadsGetTheirOwnResults) {
  const CompiledModel chain =
      Compile(ChainModel(), "BATCH:A(4)", {{"AUTO_BATCH_TIMEOUT", "1"}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&chain, t] {
      InferRequest request = chain.NewRequest().value();
      for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(request.SetInput("x", InputOf(1000 * t + i)).ok());
        ASSERT_TRUE(request.Infer().ok());
        ExpectOutputOf(request, 1000 * t + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// ---- What goes wrong ----

TEST_F(BatchTest, AnErrorReachesAllOfItsBatchAndNoOthers) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 4);
  a_->FailRun(absl::InternalError("hot"));
  for (const int i : {0, 1}) ASSERT_TRUE(requests[i].StartAsync().ok());
  for (const int i : {0, 1}) {
    EXPECT_THAT(requests[i].Wait().message(), HasSubstr("hot"));
  }
  a_->FailRun(absl::OkStatus());
  for (const int i : {2, 3}) ASSERT_TRUE(requests[i].StartAsync().ok());
  for (const int i : {2, 3}) EXPECT_TRUE(requests[i].Wait().ok());
  for (const int i : {0, 1}) ASSERT_TRUE(requests[i].StartAsync().ok());
  for (const int i : {0, 1}) EXPECT_TRUE(requests[i].Wait().ok());
}

TEST_F(BatchTest, OneWhoWaitsIsCancelledAtOnce) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 3);
  ASSERT_TRUE(requests[0].StartAsync().ok());
  requests[0].Cancel();
  EXPECT_TRUE(absl::IsCancelled(requests[0].Wait()));
  for (const int i : {1, 2}) ASSERT_TRUE(requests[i].StartAsync().ok());
  for (const int i : {1, 2}) EXPECT_TRUE(requests[i].Wait().ok());
  EXPECT_EQ(a_->launches(), 1);
}

// Not even by a request that is on its way to those who wait.
TEST_F(BatchTest, ACancelIsNeverLost) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 2);
  for (int i = 0; i < 100; ++i) {
    std::thread other([&] { EXPECT_TRUE(requests[0].StartAsync().ok()); });
    while (requests[0].Input("x").ok()) {  // until it is busy
      std::this_thread::yield();
    }
    requests[0].Cancel();
    const auto ended = requests[0].WaitFor(std::chrono::seconds(20));
    other.join();
    ASSERT_EQ(ended.status().code(), absl::StatusCode::kCancelled);
  }
}

// The same with nothing left to chance.
TEST_F(BatchTest, ACancelBeforeTheLineIsKept) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  const InferRequest other = chain.NewRequest().value();
  const auto waiting = chain.executable()->NewContext().value();
  waiting->Begin(/*synchronous=*/false);
  waiting->Cancel();
  absl::Status ended = absl::UnknownError("it has not ended");
  waiting->stages()[0].start(
      [&](const absl::Status& status) { ended = status; });
  EXPECT_EQ(ended.code(), absl::StatusCode::kCancelled) << ended;
}

TEST_F(BatchTest, ABatchIsCancelledWhenAllOfItAre) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 2);
  a_->StopAnswering();
  for (InferRequest& request : requests) ASSERT_TRUE(request.StartAsync().ok());
  requests[0].Cancel();
  requests[1].Cancel();
  for (InferRequest& request : requests) {
    EXPECT_TRUE(absl::IsCancelled(request.Wait()));
  }
  a_->Answer();
}

// The batch that waits for a thread begins again without it.
TEST_F(BatchTest, OneIsCancelledBeforeItsBatchBegins) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 2);
  std::promise<void> go_on;
  a_->host_thread().Schedule([&] { go_on.get_future().wait(); });
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(requests[i].SetInput("x", InputOf(i)).ok());
    ASSERT_TRUE(requests[i].StartAsync().ok());
  }
  requests[0].Cancel();
  EXPECT_TRUE(absl::IsCancelled(requests[0].Wait()));
  go_on.set_value();
  ASSERT_TRUE(requests[1].Wait().ok());
  ExpectOutputOf(requests[1], 1);
}

TEST_F(BatchTest, OneWhoIsCancelledTakesNobodyAlong) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(2)");
  std::vector<InferRequest> requests = Requests(chain, 2);
  a_->StopAnswering();
  for (InferRequest& request : requests) ASSERT_TRUE(request.StartAsync().ok());
  requests[0].Cancel();
  a_->Answer();
  EXPECT_TRUE(absl::IsCancelled(requests[0].Wait()));
  EXPECT_TRUE(requests[1].Wait().ok());
}

// ---- What is left alone ----

TEST_F(BatchTest, TheReasonIsSaidWithTheNode) {
  const CompiledModel over_rows = Compile(ModelOf(R"(model "mixing"
    %x = Parameter-0() {shape: [4,3], element_type: f32} : f32[4,3] "x"  # in
    %y = Softmax-8(%x) {axis: 0} : f32[4,3] "y"  # mixed
    %o = Result-0(%y) {}  # out
  )"),
                                          "BATCH:A(4)");
  EXPECT_THAT(over_rows.GetProperty(kReason).value(),
              AllOf(HasSubstr("'mixed'"), HasSubstr("axis 0")));
  EXPECT_EQ(over_rows.GetProperty("OPTIMAL_BATCH_SIZE").value(), "1");
  EXPECT_TRUE(over_rows.NewRequest().value().Infer().ok());
}

TEST_F(BatchTest, StatesAndDynamicShapesAreLeftAlone) {
  const CompiledModel counter = Compile(CounterModel(), "BATCH:A(4)");
  EXPECT_THAT(counter.GetProperty(kReason).value(), HasSubstr("state"));
  InferRequest request = counter.NewRequest().value();
  ASSERT_TRUE(request.SetInput("x", Floats({2}, {1, 2})).ok());
  ASSERT_TRUE(request.Infer().ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(request.Output("y").value().ElementAsDouble(1), 4);
  const CompiledModel dynamic = Compile(DynamicModel(), "BATCH:A(4)");
  EXPECT_THAT(dynamic.GetProperty(kReason).value(), HasSubstr("[?,3]"));
}

TEST_F(BatchTest, TheGreatestSizeIsTheOneThatIsNamed) {
  EXPECT_EQ(core_.GetProperty("BATCH:A(4)", "MAX_BATCH_SIZE").value(), "4");
  EXPECT_EQ(core_.GetProperty("BATCH:A(4)", "OPTIMAL_BATCH_SIZE").value(), "4");
}

TEST_F(BatchTest, TheSizeMayComeFromElsewhere) {
  // The device says nothing of it.
  EXPECT_THAT(Compile(ChainModel(), "BATCH:A").GetProperty(kReason).value(),
              HasSubstr("is 1"));
  PropertyMap few = kForever;
  few["PERFORMANCE_HINT_NUM_REQUESTS"] = "2";
  EXPECT_EQ(Compile(ChainModel(), "BATCH:A(4)", few)
                .GetProperty("OPTIMAL_BATCH_SIZE")
                .value(),
            "2");
  EXPECT_THAT(
      Compile(ChainModel(), "BATCH:A(4)", {{"ALLOW_AUTO_BATCHING", "NO"}})
          .GetProperty(kReason)
          .value(),
      HasSubstr("ALLOW_AUTO_BATCHING"));
}

TEST_F(BatchTest, NamesThatAreNoneAreRefused) {
  for (const char* const device :
       {"BATCH:A(0)", "BATCH:A(x)", "BATCH:A)", "BATCH:", "BATCH:A,A(2)",
        "BATCH:(4)", "BATCH:A(9999)", "BATCH"}) {
    EXPECT_FALSE(core_.Compile(ChainModel(), device).ok()) << device;
  }
}

TEST_F(BatchTest, AQueryTellsWhetherRequestsAreGathered) {
  const auto chain = core_.Query(ChainModel(), "BATCH:A(4)");
  ASSERT_TRUE(chain.ok()) << chain.status();
  EXPECT_THAT(chain->notes, testing::Contains(HasSubstr("gathers")));
  const auto counter = core_.Query(CounterModel(), "BATCH:A(4)");
  ASSERT_TRUE(counter.ok()) << counter.status();
  EXPECT_THAT(counter->notes, testing::Contains(HasSubstr("state")));
}

TEST_F(BatchTest, DevicesMadeOfOthersNest) {
  ASSERT_TRUE(
      registry_.Register("HETERO", [] { return MakeHeteroPlugin(); }).ok());
  for (const char* const device : {"BATCH:HETERO:A(2)", "HETERO:BATCH:A(2)"}) {
    const CompiledModel chain = Compile(ChainModel(), device);
    std::vector<InferRequest> requests = Requests(chain, 2);
    const int64_t before = a_->launches();
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(requests[i].SetInput("x", InputOf(i)).ok());
      ASSERT_TRUE(requests[i].StartAsync().ok());
    }
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(requests[i].Wait().ok());
      ExpectOutputOf(requests[i], i);
    }
    EXPECT_EQ(a_->launches() - before, 1) << device;
  }
  EXPECT_FALSE(core_.Compile(ChainModel(), "BATCH:BATCH:A(2)(2)").ok());
}

TEST_F(BatchTest, ExportsComeBack) {
  const CompiledModel chain = Compile(ChainModel(), "BATCH:A(3)");
  const std::string bytes = chain.ExportToString().value();
  auto imported = core_.ImportFromString(bytes, "BATCH:A(3)", kForever);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(imported->GetProperty("OPTIMAL_BATCH_SIZE").value(), "3");
  std::vector<InferRequest> requests = Requests(*imported, 3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(requests[i].SetInput("x", InputOf(i)).ok());
    ASSERT_TRUE(requests[i].StartAsync().ok());
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(requests[i].Wait().ok());
    ExpectOutputOf(requests[i], i);
  }
  EXPECT_EQ(a_->launches(), 1);
}

}  // namespace
}  // namespace dovetail
