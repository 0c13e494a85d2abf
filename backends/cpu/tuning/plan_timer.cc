#include "dovetail/backends/cpu/tuning/plan_timer.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/common/steps/plan_instance.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/float_control.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail::cpu {
namespace {

// Inferences of each plan that are compared, and those after which a plan that
// is clearly slower gets no more.
constexpr int kTurns = 9;
constexpr int kFirstTurns = 3;
constexpr double kClearlySlower = 1.05;
// By how much medians of a plan in turns with itself differed on virtual
// machines of two processors.
constexpr double kFaster = 0.985;
// Turns that a faster plan must win: by chance one of 50 comparisons of equal
// plans has so many.
constexpr int kWins = 8;

absl::StatusOr<Tensor> MakeInput(const PlanPort& port) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(port.type, port.shape));
  if (port.type != ElementType::kF32) return tensor;
  uint32_t state = 1;
  auto* const values = static_cast<float*>(tensor.mutable_raw_data());
  for (int64_t i = 0; i < tensor.shape().Count(); ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = static_cast<float>(state >> 8) * (1.0f / (1 << 24));
  }
  return tensor;
}

// A plan with the memory to run it.
class Runner {
 public:
  static absl::StatusOr<std::unique_ptr<Runner>> Create(
      const std::shared_ptr<const Plan>& plan, WorkTeam& team,
      bool denormals_as_zeros) {
    std::unique_ptr<Runner> runner(new Runner(team, denormals_as_zeros));
    DOVETAIL_ASSIGN_OR_RETURN(runner->instance_, PlanInstance::Create(plan));
    for (const PlanPort& port : plan->inputs) {
      DOVETAIL_ASSIGN_OR_RETURN(runner->inputs_.emplace_back(),
                                MakeInput(port));
    }
    for (const PlanPort& port : plan->outputs) {
      DOVETAIL_ASSIGN_OR_RETURN(runner->outputs_.emplace_back(),
                                Tensor::Allocate(port.type, port.shape));
    }
    // Touches the memory and makes what libraries keep.
    DOVETAIL_RETURN_IF_ERROR(runner->Time().status());
    return runner;
  }

  void set_clock(StepClock* clock) { environment_.set_clock(clock); }

  // One inference, in nanoseconds.
  absl::StatusOr<int64_t> Time() {
    const WorkTeam::Session session(team_);
    const FloatControl control = FloatControl::OfThread();
    const ScopedFloatControl scope(
        denormals_as_zeros_ ? control.WithDenormalsAsZeros() : control);
    if (environment_.clock() != nullptr) environment_.clock()->Begin();
    const auto start = std::chrono::steady_clock::now();
    DOVETAIL_RETURN_IF_ERROR(instance_->Run(inputs_, outputs_, environment_));
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start)
        .count();
  }

 private:
  Runner(WorkTeam& team, bool denormals_as_zeros)
      : team_(team),
        denormals_as_zeros_(denormals_as_zeros),
        environment_(&team, &reference_) {
    reference_.find_kernel = &FindHostKernel;
    reference_.variables = &variables_;
  }

  WorkTeam& team_;
  const bool denormals_as_zeros_;
  VariableValues variables_;
  KernelEnvironment reference_;
  RunEnvironment environment_;
  std::unique_ptr<PlanInstance> instance_;
  std::vector<Tensor> inputs_, outputs_;
};

int64_t Median(std::vector<int64_t> values) {
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Least(const std::vector<int64_t>& values) {
  return static_cast<double>(*std::min_element(values.begin(), values.end()));
}

int Wins(const std::vector<int64_t>& own, const std::vector<int64_t>& peer) {
  int wins = 0;
  for (size_t i = 0; i < own.size(); ++i) wins += own[i] < peer[i] ? 1 : 0;
  return wins;
}

}  // namespace

absl::StatusOr<std::map<std::string, int64_t>> PlanTimer::StepTimes(
    const std::shared_ptr<const Plan>& plan) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Runner> runner,
                            Runner::Create(plan, team_, denormals_as_zeros_));
  StepClock clock;
  runner->set_clock(&clock);
  std::map<std::string, int64_t> least;
  for (int turn = 0; turn < kFirstTurns; ++turn) {
    DOVETAIL_RETURN_IF_ERROR(runner->Time().status());
    std::map<std::string, int64_t> times;
    for (const ProfilingRecord& record : clock.records()) {
      times[record.name] += record.duration_ns;
    }
    for (const auto& [name, nanoseconds] : times) {
      const auto [it, is_new] = least.emplace(name, nanoseconds);
      if (!is_new) it->second = std::min(it->second, nanoseconds);
    }
  }
  return least;
}

absl::StatusOr<bool> PlanTimer::IsFaster(
    const std::shared_ptr<const Plan>& plan,
    const std::shared_ptr<const Plan>& other) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Runner> own,
                            Runner::Create(plan, team_, denormals_as_zeros_));
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Runner> peer,
                            Runner::Create(other, team_, denormals_as_zeros_));
  std::vector<int64_t> own_times, peer_times;
  for (int turn = 0; turn < kTurns; ++turn) {
    DOVETAIL_ASSIGN_OR_RETURN(own_times.emplace_back(), own->Time());
    DOVETAIL_ASSIGN_OR_RETURN(peer_times.emplace_back(), peer->Time());
    if (turn + 1 == kFirstTurns &&
        Least(own_times) > kClearlySlower * Least(peer_times)) {
      return false;
    }
  }
  return Wins(own_times, peer_times) >= kWins &&
         static_cast<double>(Median(own_times)) <
             kFaster * static_cast<double>(Median(peer_times));
}

}  // namespace dovetail::cpu
