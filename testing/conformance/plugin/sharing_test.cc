// What requests have in common while they run: a compiled model, one that its
// user has let go, the program's cores. Each computes what it would alone, and
// nothing races (run with --config=tsan).

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int kThreads = 4;

// Rows of any number: sums of neighbours by a convolution, then of all columns,
// plus ten times the first element of each row: for a row of n, 13 n.
Model RowsModel() {
  return ModelOf(R"(model "rows"
    %x = Parameter-0() {shape: [?,1,?,2], element_type: f32} : f32[?,1,?,2] "x"
    %w = Constant-0() {value: f32[1,1,1,2] {1, 2}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %v = Constant-0() {value: f32[1] {10}}
    %m = Constant-0() {value: f32[2,1] {1, 0}}
    %p = MatMul-0(%x, %m) {}
    %t = Multiply-1(%p, %v) {}
    %s = Add-1(%c, %t) {} : f32[?,1,?,1] "y"
    %o = Result-0(%s) {}  # out)");
}

class SharingTest : public DeviceTest {
 protected:
  static void InThreads(const std::function<void(int)>& body) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(body, t);
    for (std::thread& thread : threads) thread.join();
  }

  // Two streams of two threads, where the device has streams.
  PropertyMap Streams() const {
    PropertyMap properties;
    if (HasProperty("NUM_STREAMS")) properties["NUM_STREAMS"] = "2";
    if (HasProperty("INFERENCE_NUM_THREADS")) {
      properties["INFERENCE_NUM_THREADS"] = "4";
    }
    return properties;
  }

  // Runs a request of RowsModel with all elements `n`.
  void ExpectRows(InferRequest& request, int64_t batch, int64_t rows, double n,
                  bool async) const {
    const Shape shape = {batch, 1, rows, 2};
    const std::vector<double> values(batch * rows * 2, n);
    ASSERT_TRUE(request.SetInput("x", Floats(shape, values)).ok());
    if (async) {
      ASSERT_TRUE(request.StartAsync().ok());
      ASSERT_TRUE(request.Wait().ok());
    } else {
      ASSERT_TRUE(request.Infer().ok());
    }
    if (!computes()) return;  // knows no shapes either
    ASSERT_TRUE(
        Gives(request.Output("y"), std::vector<double>(batch * rows, 13 * n)));
  }

  void ExpectChain(InferRequest& request) const {
    ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
    ASSERT_TRUE(request.StartAsync().ok());
    ASSERT_TRUE(request.Wait().ok());
    ASSERT_TRUE(Gives(request.Output("y"), ChainOutput()));
  }
};

TEST_F(SharingTest, RequestsOfDifferentShapes) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(RowsModel());
  const CompiledModel model = Compile(RowsModel(), Streams());
  InThreads([&](int t) {
    InferRequest request = model.NewRequest().value();
    for (int i = 0; i < 40; ++i) {
      // All threads meet the same shapes, at different times.
      ExpectRows(request, (t + i) % 3, 1 + (t + i) % 5, t, i % 2 == 0);
    }
  });
}

// More shapes than any device keeps plans for, so that some are dropped while
// others run.
TEST_F(SharingTest, RequestsOfManyShapes) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(RowsModel());
  const CompiledModel model = Compile(RowsModel(), Streams());
  InThreads([&](int t) {
    InferRequest request = model.NewRequest().value();
    for (int i = 0; i < 60; ++i) {
      ExpectRows(request, 1 + i % 2, 1 + (i * 7 + t * 13) % 50, i, true);
    }
  });
}

TEST_F(SharingTest, ManyRequestsInFlight) {
  const CompiledModel model = Compile(TwoByTwoModel(), Streams());
  std::vector<InferRequest> requests;
  for (int r = 0; r < 24; ++r) {
    requests.push_back(model.NewRequest().value());
    const double n = r;
    ASSERT_TRUE(requests[r].SetInput("a", Floats({4}, {n, n, n, n})).ok());
    ASSERT_TRUE(requests[r].SetInput("b", Floats({4}, {1, 2, 3, 4})).ok());
  }
  for (int round = 0; round < 20; ++round) {
    for (auto& request : requests) ASSERT_TRUE(request.StartAsync().ok());
    for (int r = 0; r < 24; ++r) {
      const double n = r;
      ASSERT_TRUE(requests[r].Wait().ok());
      ASSERT_TRUE(
          Gives(requests[r].Output("sum"), {n + 1, n + 2, n + 3, n + 4}));
    }
  }
}

TEST_F(SharingTest, ModelsEndWhileTheirRequestsRun) {
  InThreads([&](int t) {
    for (int i = 0; i < 10; ++i) {
      std::vector<InferRequest> requests;
      {
        Core core;
        const auto model = core.Compile(LongModel(20, 500), device());
        ASSERT_TRUE(model.ok()) << model.status();
        for (int r = 0; r < 3; ++r) {
          requests.push_back(model->NewRequest().value());
          ASSERT_TRUE(
              requests[r]
                  .SetInput("x", Floats({500}, std::vector<double>(500, t)))
                  .ok());
          ASSERT_TRUE(requests[r].StartAsync().ok());
        }
      }
      requests.pop_back();  // in flight: nobody will ask for it
      for (InferRequest& request : requests) {
        ASSERT_TRUE(request.Wait().ok());
        EXPECT_TRUE(
            Gives(request.Output(0), std::vector<double>(500, 21.0 * t)));
      }
    }
  });
}

// Those that are given up do no harm to those that are waited for.
TEST_F(SharingTest, AbandonedBesideWanted) {
  const CompiledModel model = Compile(LongModel(20, 500), Streams());
  const Tensor threes = Floats({500}, std::vector<double>(500, 3));
  InThreads([&](int t) {
    InferRequest wanted = model.NewRequest().value();
    ASSERT_TRUE(wanted.SetInput("x", threes).ok());
    for (int i = 0; i < 20; ++i) {
      InferRequest abandoned = model.NewRequest().value();
      ASSERT_TRUE(abandoned.SetInput("x", threes).ok());
      ASSERT_TRUE(abandoned.StartAsync().ok());
      ASSERT_TRUE(wanted.StartAsync().ok());
      if (t % 2 == 0) abandoned.Cancel();
      ASSERT_TRUE(wanted.Wait().ok());
      ASSERT_TRUE(Gives(wanted.Output(0), std::vector<double>(500, 63)));
    }
  });
}

// One Model object, read by several compilations, while a request runs.
TEST_F(SharingTest, CompilingTheSameModelAtOnce) {
  const Model chain = ChainModel();
  const CompiledModel running = Compile(chain, Streams());
  InThreads([&](int t) {
    InferRequest request = running.NewRequest().value();
    for (int i = 0; i < 6; ++i) {
      if (t == 0) {
        for (int times = 0; times < 10; ++times) ExpectChain(request);
        continue;
      }
      InferRequest own = Compile(chain, Streams()).NewRequest().value();
      ExpectChain(own);
    }
  });
}

TEST_F(SharingTest, VariablesOfEachRequest) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(CounterModel());
  const CompiledModel model = Compile(CounterModel(), Streams());
  InThreads([&](int t) {
    InferRequest request = model.NewRequest().value();
    const double one = t + 1;
    ASSERT_TRUE(request.SetInput("x", Floats({2}, {one, 2 * one})).ok());
    double times = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(request.StartAsync().ok());
      if (i % 10 == 9) request.Cancel();
      const absl::Status status = request.Wait();
      if (status.code() == absl::StatusCode::kCancelled) continue;
      ASSERT_TRUE(status.ok()) << status;
      times += 1;
      ASSERT_TRUE(Gives(request.Output("y"), {times * one, 2 * times * one}))
          << "a cancelled inference leaves variables as they were";
      if (i != 50 || !computes()) continue;
      ASSERT_TRUE(request.ResetVariables().ok());
      times = 0;
    }
  });
}

// Models with threads of their own on the same cores, one inference after the
// other and at once; each starts the other's.
TEST_F(SharingTest, TwoModelsTakeTurns) {
  const CompiledModel chain = Compile(ChainModel(), Streams());
  const CompiledModel other = Compile(TwoByTwoModel(), Streams());
  const Tensor n = Floats({4}, {1, 2, 3, 4});
  InThreads([&](int) {
    InferRequest first = chain.NewRequest().value();
    InferRequest second = other.NewRequest().value();
    ASSERT_TRUE(first.SetInput("x", ChainInput()).ok());
    ASSERT_TRUE(second.SetInput("a", n).ok());
    ASSERT_TRUE(second.SetInput("b", n).ok());
    ASSERT_TRUE(first
                    .SetCallback([&](const absl::Status& status) {
                      EXPECT_TRUE(status.ok()) << status;
                      EXPECT_TRUE(second.StartAsync().ok());
                    })
                    .ok());
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(first.StartAsync().ok());
      ASSERT_TRUE(first.Wait().ok());
      ASSERT_TRUE(second.Wait().ok());
      ASSERT_TRUE(Gives(first.Output("y"), ChainOutput()));
      ASSERT_TRUE(Gives(second.Output("product"), {1, 4, 9, 16}));
    }
  });
}

}  // namespace
}  // namespace dovetail
