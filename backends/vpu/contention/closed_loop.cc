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
  enum class Phase {
    kWaitForLink,
    kSend,
    kWaitForExecutor,
    kRun,
    kHost,
    kOver
  };
  Phase phase = Phase::kWaitForLink;
  bool is_back = false;  // outputs, not inputs, go over the link
  size_t stage = 0;
  double left = 0;   // microseconds at full speed; of kSend, kRun, kHost
  double speed = 1;  // of kRun
  int rounds = 0;
  double since = 0;  // when what it does now, or waits for, began
  LoopRound round, last_round;
};

class Loop {
 public:
  // Without an end where `inferences` is 0.
  Loop(const Program& program, int requests, int inferences)
      : program_(program),
        machine_(program.machine()),
        inferences_(inferences),
        started_(requests),
        requests_(requests),
        is_executor_busy_(static_cast<size_t>(machine_.executors)) {
    times_.requests = requests;
    times_.stages.resize(program.stages().size());
    for (const Layer& layer : program.network()) {
      const double us =
          static_cast<double>(layer.host_bytes) * machine_.link_byte_ns / 1000;
      (layer.kind == LayerKind::kInput ? send_us_ : receive_us_) += us;
    }
  }

  LoopTimes Run() && {
    for (size_t i = 0; i < requests_.size(); ++i) {
      requests_[i].round.request = static_cast<int>(i);
      AskForLink(requests_[i]);
    }
    while (!IsDone()) {
      Serve();
      Advance();
    }
    return std::move(*this).Means();
  }

 private:
  using Phase = Request::Phase;
  using What = LoopSpan::What;

  bool IsDone() const {
    return counted_ >= (inferences_ > 0
                            ? inferences_
                            : static_cast<int64_t>(requests_.size()) * kRounds);
  }
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
      Note(What::kWaitForLink, request);
      request.phase = Phase::kSend;
      request.left = request.is_back ? receive_us_ : send_us_;
    }
    for (size_t i = 0; i < is_executor_busy_.size(); ++i) {
      if (executors_.empty() || is_executor_busy_[i]) continue;
      Request& request = *executors_.front();
      executors_.pop_front();
      is_executor_busy_[i] = true;
      Note(What::kWait, request);
      request.round.executor = static_cast<int>(i);
      request.phase = Phase::kRun;
      BeginStage(request, 0);
    }
    ShareDdr();
  }

  // The request has done, or waited for, this until now.
  void Note(What what, Request& request) {
    request.round.spans.push_back({what, request.stage, request.since, now_});
    request.since = now_;
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
    Note(request.is_back ? What::kReceive : What::kSend, request);
    if (request.is_back) {
      request.phase = Phase::kHost;
      request.left = machine_.host_us;
      return;
    }
    request.phase = Phase::kWaitForExecutor;
    executors_.push_back(&request);
  }

  void EndStage(Request& request) {
    Note(What::kStage, request);
    if (request.stage + 1 < program_.stages().size()) {
      BeginStage(request, request.stage + 1);
      return;
    }
    is_executor_busy_[static_cast<size_t>(request.round.executor)] = false;
    request.is_back = true;
    AskForLink(request);
  }

  void Count(const LoopRound& round) {
    ++counted_;
    times_.latency += round.spans.back().end - round.spans.front().begin;
    for (const LoopSpan& span : round.spans) {
      const double us = span.end - span.begin;
      if (span.what == What::kWait) times_.wait += us;
      if (span.what != What::kStage) continue;
      times_.device += us;
      times_.stages[span.stage] += us;
    }
  }

  void EndRound(Request& request) {
    Note(What::kHost, request);
    if (inferences_ > 0) {
      std::fill(times_.stages.begin(), times_.stages.end(), 0);
    }
    if (inferences_ > 0 || request.rounds >= kWarmRounds) Count(request.round);
    ++request.rounds;
    request.last_round = request.round;
    request.round.spans.clear();
    request.is_back = false;
    if (inferences_ > 0 && started_ == inferences_) {
      request.phase = Phase::kOver;
      return;
    }
    ++started_;
    AskForLink(request);
  }

  LoopTimes Means() && {
    const double count = static_cast<double>(counted_);
    for (double* sum : {&times_.latency, &times_.wait, &times_.device}) {
      *sum /= count;
    }
    for (double& stage : times_.stages) {
      if (inferences_ == 0) stage /= count;
    }
    times_.host = times_.latency - times_.wait - times_.device;
    times_.ddr_busy = ddr_us_ / now_;
    for (Request& request : requests_) {
      times_.rounds.push_back(std::move(request.last_round));
    }
    return std::move(times_);
  }

  const Program& program_;
  const Machine& machine_;
  const int64_t inferences_;
  int64_t started_;
  std::vector<Request> requests_;
  std::deque<Request*> link_, executors_;  // who waits
  std::vector<bool> is_executor_busy_;
  bool is_link_busy_ = false;
  double send_us_ = 0, receive_us_ = 0;
  double now_ = 0, ddr_rate_ = 0, ddr_us_ = 0;
  int64_t counted_ = 0;
  LoopTimes times_;
};

absl::Status Check(const Program& program, int requests) {
  if (requests < 1 || requests > kMostRequests) {
    return InvalidArgument("a closed loop of ", requests, " requests: want 1 ",
                           "to ", kMostRequests);
  }
  if (program.stages().empty()) {
    return InvalidArgument("the program has no stages that take time");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LoopTimes> RunClosedLoop(const Program& program, int requests) {
  DOVETAIL_RETURN_IF_ERROR(Check(program, requests));
  return Loop(program, requests, /*inferences=*/0).Run();
}

absl::StatusOr<LoopTimes> RunInferences(const Program& program, int requests,
                                        int inferences) {
  DOVETAIL_RETURN_IF_ERROR(Check(program, requests));
  if (inferences < requests) {
    return InvalidArgument(inferences, " inferences of ", requests,
                           " requests: want one of each or more");
  }
  return Loop(program, requests, inferences).Run();
}

}  // namespace dovetail::vpu
