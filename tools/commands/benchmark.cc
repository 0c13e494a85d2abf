// dovetail benchmark: how long loading and inferring take.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/input/input_values.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

// Resident memory of this process in MB (10^6 bytes).
double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) *
         static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

struct Figures {
  double load_ms = 0, first_ms = 0;
  std::vector<double> latencies_ms;  // sorted
  double throughput_ips = 0;
  double rss_mb = 0;  // of the model and one request, after its first inference
  int64_t iterations = 0;  // of both measurements

  double Percentile(double fraction) const {
    const auto last = static_cast<double>(latencies_ms.size() - 1);
    return latencies_ms[static_cast<size_t>(fraction * last + 0.5)];
  }
};

// One request, synchronously, its tensors left in place.
absl::Status MeasureLatency(InferRequest& request, double seconds,
                            Figures& figures) {
  const Clock::time_point start = Clock::now();
  do {
    const Clock::time_point begin = Clock::now();
    DOVETAIL_RETURN_IF_ERROR(request.Infer());
    figures.latencies_ms.push_back(MillisecondsSince(begin));
  } while (MillisecondsSince(start) < seconds * 1000);
  std::sort(figures.latencies_ms.begin(), figures.latencies_ms.end());
  figures.iterations += static_cast<int64_t>(figures.latencies_ms.size());
  return absl::OkStatus();
}

// Requests that start themselves again until the time is up.
class ThroughputRun {
 public:
  ThroughputRun(std::vector<InferRequest>& requests, double seconds)
      : requests_(requests), seconds_(seconds) {}

  absl::Status Run(Figures& figures) {
    for (InferRequest& request : requests_) {
      DOVETAIL_RETURN_IF_ERROR(request.SetCallback(
          [this, &request](const absl::Status& s) { Finished(request, s); }));
    }
    start_ = Clock::now();
    running_ = static_cast<int>(requests_.size());
    for (InferRequest& request : requests_) {
      if (absl::Status status = request.StartAsync(); !status.ok()) {
        Stop(status);
      }
    }
    std::unique_lock<std::mutex> lock(mutex_);
    all_stopped_.wait(lock, [this] { return running_ == 0; });
    figures.throughput_ips =
        static_cast<double>(finished_) / (MillisecondsSince(start_) / 1000);
    figures.iterations += finished_;
    return status_;
  }

 private:
  void Finished(InferRequest& request, absl::Status status) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++finished_;
    }
    if (status.ok() && MillisecondsSince(start_) < seconds_ * 1000) {
      status = request.StartAsync();
      if (status.ok()) return;
    }
    Stop(status);
  }

  void Stop(const absl::Status& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    status_.Update(status);
    if (--running_ == 0) all_stopped_.notify_all();
  }

  std::vector<InferRequest>& requests_;
  const double seconds_;
  Clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable all_stopped_;
  int running_ = 0;       // guarded by mutex_
  int64_t finished_ = 0;  // guarded by mutex_
  absl::Status status_;   // guarded by mutex_
};

absl::StatusOr<int64_t> ChooseRequests(const CompiledModel& model,
                                       const Arguments& arguments) {
  int64_t optimal = 1;
  const absl::StatusOr<std::string> metric =
      model.GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS");
  if (metric.ok()) (void)absl::SimpleAtoi(*metric, &optimal);
  return arguments.GetInt("requests", optimal, 1, 1024);
}

absl::StatusOr<Figures> Measure(const Core& core, const Arguments& arguments,
                                const std::string& path,
                                const std::string& device) {
  DOVETAIL_ASSIGN_OR_RETURN(const double seconds,
                            arguments.GetDouble("seconds", 5, 0.01, 86400));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                            ChooseProperties(arguments));
  Figures figures;
  const double rss_before = ResidentMegabytes();
  Clock::time_point start = Clock::now();
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel model,
      CompileOrImport(core, arguments, path, device, properties));
  figures.load_ms = MillisecondsSince(start);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> inputs,
      ReadInputs(model, arguments, /*make_missing=*/true));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count,
                            ChooseRequests(model, arguments));
  start = Clock::now();
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_RETURN_IF_ERROR(SetInputs(inputs, request));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  figures.first_ms = MillisecondsSince(start);
  figures.rss_mb = ResidentMegabytes() - rss_before;
  DOVETAIL_RETURN_IF_ERROR(MeasureLatency(request, seconds, figures));
  std::vector<InferRequest> requests;
  for (int64_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(InferRequest next, model.NewRequest());
    DOVETAIL_RETURN_IF_ERROR(SetInputs(inputs, next));
    requests.push_back(std::move(next));
  }
  DOVETAIL_RETURN_IF_ERROR(ThroughputRun(requests, seconds).Run(figures));
  return figures;
}

void Print(const Figures& figures, std::ostream& out) {
  out << absl::StreamFormat(
      "load        %10.2f ms\n"
      "first       %10.2f ms\n"
      "latency     %10.3f ms median, %.3f min, %.3f p99\n"
      "throughput  %10.2f inferences/s\n"
      "memory      %10.1f MB of the model and one request\n",
      figures.load_ms, figures.first_ms, figures.Percentile(0.5),
      figures.latencies_ms.front(), figures.Percentile(0.99),
      figures.throughput_ips, figures.rss_mb);
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDeviceOf(core, arguments, path));
  // Loads the device, so that load_ms is the model's alone.
  DOVETAIL_RETURN_IF_ERROR(core.Properties(device).status());
  DOVETAIL_ASSIGN_OR_RETURN(const Figures figures,
                            Measure(core, arguments, path, device));
  if (!json) {
    Print(figures, out);
    return kDone;
  }
  out << nlohmann::ordered_json{{"device", device},
                                {"load_ms", figures.load_ms},
                                {"first_ms", figures.first_ms},
                                {"latency_min_ms",
                                 figures.latencies_ms.front()},
                                {"latency_median_ms", figures.Percentile(0.5)},
                                {"latency_p99_ms", figures.Percentile(0.99)},
                                {"throughput_ips", figures.throughput_ips},
                                {"rss_mb", figures.rss_mb},
                                {"iterations", figures.iterations}}
             .dump()
      << "\n";
  return kDone;
}

}  // namespace

Command BenchmarkCommand() {
  std::vector<Flag> flags = InputFlags();
  flags.push_back(
      {"seconds", "S", "how long each measurement takes (default: 5)"});
  flags.push_back({"requests", "N",
                   "asynchronous requests (default: what the device likes)"});
  return {"benchmark", "MODEL", "measures load time, latency and throughput",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
