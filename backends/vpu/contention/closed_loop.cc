#include "dovetail/backends/vpu/contention/closed_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>

#include "dovetail/backends/vpu/contention/ddr_shares.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

// Of each request: those before the loop has settled, and those that count.
constexpr int kWarmRounds = 4;
constexpr int kRounds = 16;

// Times nearer than this are one: rounding must not make an event of its own.
constexpr double kSameMoment = 1e-6;

struct Request {
  enum class Phase { kWaitForLink, kSend, kWaitForExecutor, kRun, kHost };
  Phase phase = Phase::kWaitForLink;
  bool is_back = false;  // outputs, not inputs, go over the link
  size_t stage = 0;
  double left = 0;   // microseconds at full speed; of kSend, kRun, kHost
  double speed = 1;  // of kRun
  int rounds = 0;
  double started = 0, asked = 0, ran = 0;
  std::vector<double> stage_ends;  // of this round
};

class Loop {
 public:
  Loop(const Program& program, int requests)
      : program_(program),
        machine_(program.machine()),
        requests_(requests),
        free_executors_(static_cast<int>(machine_.executors)) {
    times_.requests = requests;
    times_.stages.resize(program.stages().size());
    for (const Layer& layer : program.network()) {
      const double us =
          static_cast<double>(layer.host_bytes) * machine_.link_byte_ns / 1000;
      (layer.kind == LayerKind::kInput ? send_us_ : receive_us_) += us;
    }
  }

  LoopTimes Run() && {
    for (Request& request : requests_) AskForLink(request);
    while (counted_ < static_cast<int64_t>(requests_.size()) * kRounds) {
      Serve();
      Advance();
    }
    return std::move(*this).Means();
  }

 private:
  using Phase = Request::Phase;

  const Stage& StageOf(const Request& request) const {
    return program_.stages()[request.stage];
  }
  double Microseconds(int64_t cycles) const {
    return machine_.microseconds(static_cast<double>(cycles));
  }
  void AskForLink(Request& request) {
    request.phase = Phase::kWaitForLink;
    link_.push_back(&request);
  }

  // Gives what is free to those who wait, in the order in which they asked.
  void Serve() {
    if (!link_.empty() && !is_link_busy_) {
      Request& request = *link_.front();
      link_.pop_front();
      is_link_busy_ = true;
      request.phase = Phase::kSend;
      request.left = request.is_back ? receive_us_ : send_us_;
    }
    while (!executors_.empty() && free_executors_ > 0) {
      Request& request = *executors_.front();
      executors_.pop_front();
      --free_executors_;
      request.phase = Phase::kRun;
      request.ran = now_;
      BeginStage(request, 0);
    }
    ShareDdr();
  }

  void BeginStage(Request& request, size_t stage) {
    request.stage = stage;
    request.left = Microseconds(StageOf(request).cycles);
  }

  void ShareDdr() {
    std::vector<Request*> running;
    std::vector<double> demands;
    for (Request& request : requests_) {
      if (request.phase != Phase::kRun) continue;
      const Stage& stage = StageOf(request);
      running.push_back(&request);
      demands.push_back(stage.cycles == 0
                            ? 0
                            : static_cast<double>(stage.ddr_cycles) /
                                  static_cast<double>(stage.cycles));
    }
    const std::vector<double> speeds =
        SpeedsUnderSharing(demands, machine_.ddr_streams);
    ddr_rate_ = 0;
    for (size_t i = 0; i < running.size(); ++i) {
      running[i]->speed = speeds[i];
      ddr_rate_ += speeds[i] * demands[i] / machine_.ddr_streams;
    }
  }

  static bool IsTimed(const Request& request) {
    return request.phase == Phase::kSend || request.phase == Phase::kRun ||
           request.phase == Phase::kHost;
  }
  static double SpeedOf(const Request& request) {
    return request.phase == Phase::kRun ? request.speed : 1;
  }

  // To the next moment at which something ends.
  void Advance() {
    double step = std::numeric_limits<double>::infinity();
    for (const Request& request : requests_) {
      if (IsTimed(request)) {
        step = std::min(step, request.left / SpeedOf(request));
      }
    }
    now_ += step;
    ddr_us_ += step * ddr_rate_;
    for (Request& request : requests_) {
      if (IsTimed(request)) request.left -= step * SpeedOf(request);
    }
    for (Request& request : requests_) {
      if (IsTimed(request) && request.left <= kSameMoment) End(request);
    }
  }

  void End(Request& request) {
    if (request.phase == Phase::kSend) {
      EndSend(request);
    } else if (request.phase == Phase::kRun) {
      EndStage(request);
    } else {
      EndRound(request);
    }
  }

  void EndSend(Request& request) {
    is_link_busy_ = false;
    if (request.is_back) {
      request.phase = Phase::kHost;
      request.left = machine_.host_us;
      return;
    }
    request.phase = Phase::kWaitForExecutor;
    request.asked = now_;
    executors_.push_back(&request);
  }

  void EndStage(Request& request) {
    request.stage_ends.push_back(now_);
    if (request.stage + 1 < program_.stages().size()) {
      BeginStage(request, request.stage + 1);
      return;
    }
    ++free_executors_;
    request.is_back = true;
    AskForLink(request);
  }

  void Count(const Request& request) {
    ++counted_;
    times_.latency += now_ - request.started;
    times_.wait += request.ran - request.asked;
    times_.device += request.stage_ends.back() - request.ran;
    double began = request.ran;
    for (size_t i = 0; i < request.stage_ends.size(); ++i) {
      times_.stages[i] += request.stage_ends[i] - began;
      began = request.stage_ends[i];
    }
  }

  void EndRound(Request& request) {
    if (request.rounds >= kWarmRounds) Count(request);
    ++request.rounds;
    request.stage_ends.clear();
    request.started = now_;
    request.is_back = false;
    AskForLink(request);
  }

  LoopTimes Means() && {
    const double count = static_cast<double>(counted_);
    for (double* sum : {&times_.latency, &times_.wait, &times_.device}) {
      *sum /= count;
    }
    for (double& stage : times_.stages) stage /= count;
    times_.host = times_.latency - times_.wait - times_.device;
    times_.ddr_busy = ddr_us_ / now_;
    return std::move(times_);
  }

  const Program& program_;
  const Machine& machine_;
  std::vector<Request> requests_;
  std::deque<Request*> link_, executors_;  // who waits
  int free_executors_;
  bool is_link_busy_ = false;
  double send_us_ = 0, receive_us_ = 0;
  double now_ = 0, ddr_rate_ = 0, ddr_us_ = 0;
  int64_t counted_ = 0;
  LoopTimes times_;
};

}  // namespace

absl::StatusOr<LoopTimes> RunClosedLoop(const Program& program, int requests) {
  if (requests < 1 || requests > kMostRequests) {
    return InvalidArgument("a closed loop of ", requests, " requests: want 1 ",
                           "to ", kMostRequests);
  }
  if (program.stages().empty()) {
    return InvalidArgument("the program has no stages that take time");
  }
  return Loop(program, requests).Run();
}

}  // namespace dovetail::vpu
