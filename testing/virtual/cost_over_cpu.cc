// What HETERO and MULTI over the CPU alone cost over the CPU: prints latency,
// throughput and processor time of a model on each, in turns so short that
// whatever else the machine does meanwhile is the same for all.
//
//   bazel run //testing/virtual:cost_over_cpu -- MODEL.xml [TURNS [SECONDS]]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Check(const absl::Status& status) {
  if (status.ok()) return;
  std::printf("%s\n", status.ToString().c_str());
  std::exit(1);
}

template <typename T>
T Checked(absl::StatusOr<T> result) {
  Check(result.status());
  return *std::move(result);
}

// One device: as many requests as it likes, which start again by themselves.
class Runner {
 public:
  Runner(const Core& core, const std::string& path, const std::string& device)
      : device_(device),
        model_(Checked(core.Compile(path, device,
                                    {{"NUM_STREAMS", "2"},
                                     {"INFERENCE_NUM_THREADS", "2"},
                                     {"INFERENCE_PRECISION_HINT", "f32"}}))) {
    int count = 0;
    Check(absl::SimpleAtoi(
              Checked(model_.GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS")),
              &count)
              ? absl::OkStatus()
              : absl::InternalError("that is no number"));
    for (int i = 0; i < count; ++i) {
      requests_.push_back(Checked(model_.NewRequest()));
      Check(requests_.back().Infer());
    }
    for (InferRequest& request : requests_) {
      Check(request.SetCallback(
          [this, &request](const absl::Status& s) { Ended(request, s); }));
    }
  }

  const std::string& device() const { return device_; }
  size_t requests() const { return requests_.size(); }

  // All figures of one turn.
  void Turn(double seconds) {
    const auto start = Clock::now();
    std::vector<double> latencies;
    while (SecondsSince(start) < seconds / 2) {
      const auto begin = Clock::now();
      Check(requests_.front().Infer());
      latencies.push_back(1e6 * SecondsSince(begin));
    }
    latency_us.push_back(MedianOf(std::move(latencies)));
    MeasureThroughput(seconds / 2);
  }

  std::vector<double> latency_us, each_second, processor_us;  // of each turn

 private:
  void MeasureThroughput(double seconds) {
    done_ = 0;
    running_ = static_cast<int>(requests_.size());
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(seconds));
    const auto start = Clock::now();
    const double processor = ProcessorSeconds();
    for (InferRequest& request : requests_) Check(request.StartAsync());
    for (int left = running_; left > 0; left = running_) running_.wait(left);
    const double count = done_;
    each_second.push_back(count / SecondsSince(start));
    processor_us.push_back(1e6 * (ProcessorSeconds() - processor) / count);
  }

  void Ended(InferRequest& request, const absl::Status& status) {
    Check(status);
    ++done_;
    if (Clock::now() < until_) return Check(request.StartAsync());
    --running_;
    running_.notify_one();
  }

  const std::string device_;
  const CompiledModel model_;
  std::vector<InferRequest> requests_;
  Clock::time_point until_;
  std::atomic<int> done_ = 0, running_ = 0;
};

double MedianOfRatios(const std::vector<double>& values,
                      const std::vector<double>& bases) {
  std::vector<double> ratios;
  for (size_t i = 0; i < values.size(); ++i) {
    ratios.push_back(values[i] / bases[i]);
  }
  return MedianOf(std::move(ratios));
}

void Print(const Runner& runner, const Runner& alone) {
  std::printf("%-12s %4zu %10.2f (%.3f) %12.1f (%.3f) %12.2f (%.3f)\n",
              runner.device().c_str(), runner.requests(),
              MedianOf(runner.latency_us),
              MedianOfRatios(runner.latency_us, alone.latency_us),
              MedianOf(runner.each_second),
              MedianOfRatios(runner.each_second, alone.each_second),
              MedianOf(runner.processor_us),
              MedianOfRatios(runner.processor_us, alone.processor_us));
}

void Measure(const std::string& path, int turns, double seconds) {
  const Core core;
  std::vector<std::unique_ptr<Runner>> runners;
  // The second one tells what two copies of the same differ by.
  for (const char* const device : {"CPU", "CPU", "HETERO:CPU", "MULTI:CPU"}) {
    runners.push_back(std::make_unique<Runner>(core, path, device));
  }
  std::vector<Runner*> order;
  for (const auto& runner : runners) order.push_back(runner.get());
  // Each as often before as after each other one.
  for (int turn = 0; turn < turns; ++turn) {
    for (Runner* const runner : order) runner->Turn(seconds);
    std::reverse(order.begin(), order.end());
  }
  std::printf(
      "device, requests; medians, in parentheses of the ratios:\n"
      "latency in us, inferences/s, processor time of one in us\n");
  for (const auto& runner : runners) Print(*runner, *runners.front());
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  int turns = 30;
  double seconds = 0.2;
  if (argc < 2 || (argc > 2 && !absl::SimpleAtoi(argv[2], &turns)) ||
      (argc > 3 && !absl::SimpleAtod(argv[3], &seconds)) || turns < 1) {
    std::fprintf(stderr, "usage: cost_over_cpu MODEL.xml [TURNS [SECONDS]]\n");
    return 1;
  }
  dovetail::Measure(argv[1], turns, seconds);
}
