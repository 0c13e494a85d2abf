// What BATCH is worth on a device with a fixed price a launch: prints the
// throughput of some clients alone and in batches, and one client's latency.
//
//   bazel run -c opt //testing/virtual:batch_speed
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "dovetail/backends/batch/batch_plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPrice = std::chrono::milliseconds(2);

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Inferences a second of clients that each run one after the other.
double Throughput(const CompiledModel& model, int clients) {
  constexpr int kEach = 250;
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      InferRequest request = model.NewRequest().value();
      for (int k = 0; k < kEach; ++k) failures += !request.Infer().ok();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = SecondsSince(start);
  if (failures > 0) std::printf("%d failures\n", failures.load());
  return clients * kEach / seconds;
}

// The median of one client's latencies, in ms, while `idle` other requests
// exist.
double Latency(const CompiledModel& model, int idle) {
  std::vector<InferRequest> others;
  for (int i = 0; i < idle; ++i) {
    others.push_back(model.NewRequest().value());
  }
  InferRequest request = model.NewRequest().value();
  std::vector<double> all;
  for (int i = 0; i < 101; ++i) {
    const auto start = Clock::now();
    if (!request.Infer().ok()) std::printf("it failed\n");
    all.push_back(1000 * SecondsSince(start));
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void Measure() {
  const auto device = std::make_shared<FakeDevice>("A");
  device->SetLaunchPrice(kPrice);
  PluginRegistry registry;
  registry.Register("A", [device] { return MakeFakePlugin(device); })
      .IgnoreError();
  registry.Register("BATCH", [] { return MakeBatchPlugin(); }).IgnoreError();
  Core core(&registry);
  const CompiledModel alone = core.Compile(ChainModel(), "A").value();
  const CompiledModel batched =
      core.Compile(ChainModel(), "BATCH:A(4)", {{"AUTO_BATCH_TIMEOUT", "10"}})
          .value();
  const double single = Throughput(alone, 8), full = Throughput(batched, 8);
  std::printf("8 clients: %.0f/s alone, %.0f/s in batches of 4: %.2f times\n",
              single, full, full / single);
  std::printf(
      "1 client: %.2f ms alone, %.2f ms as the only request of a batch, "
      "%.2f ms beside 3 idle ones with a time-out of 10 ms\n",
      Latency(alone, 0), Latency(batched, 0), Latency(batched, 3));
}

}  // namespace
}  // namespace dovetail

int main() { dovetail::Measure(); }
