// Two models with different streams in one process, together and each alone:
// what they share of the processors, how many threads want one at a time, and
// how long B takes that is asked for now and then while A is at work.
//
//   bazel run //bench/executors:two_models -- A.xml B.xml
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTime = std::chrono::seconds(4);

// Requests of a model that start again as soon as they have ended.
class Load {
 public:
  Load(const CompiledModel& model, int requests) : running_(requests) {
    for (int i = 0; i < requests; ++i) {
      requests_.push_back(model.NewRequest().value());
    }
  }

  void Start() {
    for (InferRequest& request : requests_) {
      request
          .SetCallback([&](const absl::Status& status) {
            if (status.ok()) ++done_;
            if (enough_ || !request.StartAsync().ok()) --running_;
          })
          .IgnoreError();
      request.StartAsync().IgnoreError();
    }
  }
  void Stop() {
    enough_ = true;
    while (running_ > 0) std::this_thread::yield();
  }
  int done() const { return done_; }

 private:
  std::vector<InferRequest> requests_;
  std::atomic<int> done_ = 0, running_;
  std::atomic<bool> enough_ = false;
};

// Nanoseconds in which each thread of this process, but for the one that asks,
// ran or could have: the first two numbers of the kernel's schedstat.
std::map<std::string, int64_t> RunnableTimes() {
  std::map<std::string, int64_t> times;
  const std::string self = std::to_string(gettid());
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "schedstat");
    int64_t ran = 0, waited = 0;
    const std::string thread = task.path().filename();
    if (file >> ran >> waited && thread != self) times[thread] = ran + waited;
  }
  return times;
}

struct Result {
  std::vector<double> speeds;  // inferences a second
  double runnable = 0;         // threads that run or could, on average
};

Result Measure(std::vector<Load*> loads) {
  for (Load* load : loads) load->Start();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::vector<int> before;
  for (Load* load : loads) before.push_back(load->done());
  auto times = RunnableTimes();
  const auto start = Clock::now();
  std::this_thread::sleep_for(kTime);
  const std::chrono::duration<double> time = Clock::now() - start;
  Result result;
  for (const auto& [thread, until] : RunnableTimes()) {
    result.runnable += 1e-9 * (until - times[thread]) / time.count();
  }
  for (size_t i = 0; i < loads.size(); ++i) {
    result.speeds.push_back((loads[i]->done() - before[i]) / time.count());
  }
  for (Load* load : loads) load->Stop();
  return result;
}

// Milliseconds of inferences that begin 20 ms apart, sorted.
std::vector<double> Latencies(const CompiledModel& model) {
  InferRequest request = model.NewRequest().value();
  std::vector<double> times;
  const auto start = Clock::now();
  for (auto next = start; next - start < kTime;
       next += std::chrono::milliseconds(20)) {
    std::this_thread::sleep_until(next);
    const auto begin = Clock::now();
    request.StartAsync().IgnoreError();
    request.Wait().IgnoreError();
    times.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - begin)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

void PrintLatencies(const char* what, const std::vector<double>& times) {
  const auto part = [&](double p) {
    return times[static_cast<size_t>(p * (times.size() - 1))];
  };
  std::printf("B every 20 ms, %s: %.2f ms, of 20 one above %.2f, of 100 %.2f\n",
              what, part(0.5), part(0.95), part(0.99));
}

int Run(const std::string& first, const std::string& second) {
  const Core core;
  const auto a = core.Compile(first, "CPU", {{"NUM_STREAMS", "2"}});
  const auto b = core.Compile(second, "CPU", {{"NUM_STREAMS", "1"}});
  if (!a.ok() || !b.ok()) {
    std::printf("%s %s\n", a.status().ToString().c_str(),
                b.status().ToString().c_str());
    return 1;
  }
  Load a_alone(*a, 4), b_alone(*b, 2), a_beside(*a, 4), b_beside(*b, 2);
  Load a_behind(*a, 4);
  const Result of_a = Measure({&a_alone}), of_b = Measure({&b_alone});
  const Result both = Measure({&a_beside, &b_beside});
  std::printf("processors: %u\n", std::thread::hardware_concurrency());
  std::printf("alone: A %.1f/s, B %.1f/s\n", of_a.speeds[0], of_b.speeds[0]);
  std::printf(
      "together: A %.1f/s, B %.1f/s: %.3f of what time alone gives\n",
      both.speeds[0], both.speeds[1],
      both.speeds[0] / of_a.speeds[0] + both.speeds[1] / of_b.speeds[0]);
  std::printf("threads that want a processor: %.3f; A alone %.3f, B %.3f\n",
              both.runnable, of_a.runnable, of_b.runnable);
  PrintLatencies("alone", Latencies(*b));
  a_behind.Start();
  PrintLatencies("beside A", Latencies(*b));
  a_behind.Stop();
  return 0;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc == 3) return dovetail::Run(argv[1], argv[2]);
  std::printf("usage: two_models A.xml B.xml\n");
  return 1;
}
