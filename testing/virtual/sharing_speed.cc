// What sharing inferences costs and brings: prints the throughput of MULTI over
// two devices of which one is three times as fast, and how long AUTO takes to
// the first result on the CPU while another device compiles for 2 s.
//
//   bazel run //testing/virtual:sharing_speed -- MODEL.xml
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/auto/auto_plugin.h"
#include "dovetail/backends/multi/multi_plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Inferences a second of asynchronous requests that start again at once.
double Throughput(const CompiledModel& model, int requests) {
  std::atomic<int> done = 0, running = requests;
  std::atomic<bool> enough = false;
  std::vector<InferRequest> all;
  for (int i = 0; i < requests; ++i) all.push_back(model.NewRequest().value());
  const auto start = Clock::now();
  for (InferRequest& request : all) {
    request
        .SetCallback([&](const absl::Status& status) {
          if (status.ok()) ++done;
          if (enough || !request.StartAsync().ok()) --running;
        })
        .IgnoreError();
    request.StartAsync().IgnoreError();
  }
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const double speed = done / SecondsSince(start);
  enough = true;
  while (running > 0) std::this_thread::yield();
  return speed;
}

void MeasureMulti() {
  const auto slow = std::make_shared<FakeDevice>("A");
  const auto fast = std::make_shared<FakeDevice>("B");
  slow->SetLaunchPrice(std::chrono::milliseconds(6));
  fast->SetLaunchPrice(std::chrono::milliseconds(2));
  PluginRegistry registry;
  registry.Register("A", [slow] { return MakeFakePlugin(slow); }).IgnoreError();
  registry.Register("B", [fast] { return MakeFakePlugin(fast); }).IgnoreError();
  registry.Register("MULTI", [] { return MakeMultiPlugin(); }).IgnoreError();
  const Core core(&registry);
  const double a = Throughput(core.Compile(ChainModel(), "A").value(), 2);
  const double b = Throughput(core.Compile(ChainModel(), "B").value(), 2);
  std::printf("A alone: %.0f/s, B alone: %.0f/s\n", a, b);
  for (const char* policy : {"SPEED", "DEVICE_PRIORITY", "ROUND_ROBIN"}) {
    const double both = Throughput(core.Compile(ChainModel(), "MULTI:A(2),B(2)",
                                                {{"SCHEDULE_POLICY", policy}})
                                       .value(),
                                   6);
    std::printf("MULTI:A(2),B(2) by %s: %.0f/s, %.3f of the sum\n", policy,
                both, both / (a + b));
  }
}

// Milliseconds from nothing to the first result.
double FirstResult(const Core& core, const std::string& path,
                   const std::string& device) {
  const auto start = Clock::now();
  const auto compiled = core.Compile(path, device);
  if (!compiled.ok()) {
    std::printf("%s\n", compiled.status().ToString().c_str());
    return 0;
  }
  InferRequest request = compiled->NewRequest().value();
  if (!request.Infer().ok()) std::printf("it failed\n");
  return 1000 * SecondsSince(start);
}

void MeasureAuto(const std::string& path) {
  const auto other = std::make_shared<FakeDevice>("A", int64_t{4} << 30);
  PluginRegistry& registry = PluginRegistry::Global();
  registry.Register("A", [other] { return MakeFakePlugin(other); })
      .IgnoreError();
  registry.Register("AUTO", [] { return MakeAutoPlugin(); }).IgnoreError();
  const Core core(&registry);
  std::vector<double> alone, automatic;
  for (int i = 0; i < 5; ++i) {
    alone.push_back(FirstResult(core, path, "CPU"));
    other->HoldCompile();
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      other->ReleaseCompile();
    });
    automatic.push_back(FirstResult(core, path, "AUTO:A,CPU"));
    later.join();
  }
  std::sort(alone.begin(), alone.end());
  std::sort(automatic.begin(), automatic.end());
  std::printf("the first result on CPU: %.1f ms, on AUTO:A,CPU: %.1f ms\n",
              alone[2], automatic[2]);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  dovetail::MeasureMulti();
  if (argc > 1) dovetail::MeasureAuto(argv[1]);
}
