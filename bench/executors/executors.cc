// What parallel loops cost on a WorkTeam and on a ThreadPool, alone and beside
// another program that keeps the first processor busy.
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/executor/turns/cpu_turns.h"
#include "dovetail/core/executor/turns/turn.h"

namespace dovetail {
namespace {

// Loops in each inference: as many as a network has layers.
constexpr int kLoops = 50;

// A process that spins on the first processor that this one may use, as long
// as it lives.
class Neighbour {
 public:
  explicit Neighbour(bool wanted) {
    if (!wanted) return;
    child_ = fork();
    if (child_ == 0) Spin();
  }
  ~Neighbour() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  [[noreturn]] static void Spin() {
    cpu_set_t allowed, first;
    CPU_ZERO(&first);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
      int cpu = 0;
      while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &allowed)) ++cpu;
      CPU_SET(cpu, &first);
      sched_setaffinity(0, sizeof(first), &first);
    }
    // Ends with its parent, should that be killed.
    for (const pid_t parent = getppid(); getppid() == parent;) {
      for (int i = 0; i < 1'000'000; ++i) benchmark::DoNotOptimize(i);
    }
    _exit(0);
  }

  pid_t child_ = -1;
};

// Arithmetic on what lies in the first cache.
class Work {
 public:
  explicit Work(int tasks) : values_(tasks) {}

  // The same code for all callers, or measuring it would say nothing.
  [[gnu::noinline]] void Do(int task, int64_t rounds) {
    Values& values = values_[task];
    for (int64_t round = 0; round < rounds; ++round) {
      for (float& value : values.of) value = value * 0.5f + 1.0f;
    }
    benchmark::DoNotOptimize(values);
  }

  // How many rounds take a microsecond: of many tries the fastest.
  double RoundsPerMicrosecond() {
    constexpr int kRounds = 1000;
    std::chrono::duration<double, std::micro> best(1e9);
    for (int i = 0; i < 200; ++i) {
      const auto start = std::chrono::steady_clock::now();
      Do(0, kRounds);
      best = std::min<decltype(best)>(
          best, std::chrono::steady_clock::now() - start);
    }
    return kRounds / best.count();
  }

 private:
  struct alignas(64) Values {
    float of[256] = {};
  };
  std::vector<Values> values_;
};

// An empty loop after another: what forking and joining takes.
void BM_Team(benchmark::State& state) {
  WorkTeam team(static_cast<int>(state.range(0)));
  const WorkTeam::Session session(team);
  const int tasks = static_cast<int>(state.range(1));
  for (auto _ : state) {
    team.Run(tasks, [](int i) { benchmark::DoNotOptimize(i); });
  }
}
BENCHMARK(BM_Team)
    ->ArgNames({"threads", "tasks"})
    ->ArgsProduct({{1, 2, 4}, {2, 4, 8}})
    ->UseRealTime();

// The same where helpers sleep each time.
void BM_TeamWithoutSession(benchmark::State& state) {
  WorkTeam team(2);
  for (auto _ : state) {
    team.Run(2, [](int i) { benchmark::DoNotOptimize(i); });
  }
}
BENCHMARK(BM_TeamWithoutSession)->UseRealTime();

// What each inference takes to share the processors with others, where there are
// none: with a team of so many threads.
void BM_Turn(benchmark::State& state) {
  static CpuTurns& turns = *new CpuTurns(2);
  const int threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const Turn turn(threads, turns);
    Turn::LetOthersGoOn();
  }
}
BENCHMARK(BM_Turn)->ArgNames({"threads"})->Arg(1)->Arg(2);

void BM_ThreadPool(benchmark::State& state) {
  ThreadPool pool(static_cast<int>(state.range(0)));
  const int tasks = static_cast<int>(state.range(1));
  for (auto _ : state) {
    pool.RunParts(tasks, [](int i) { benchmark::DoNotOptimize(i); });
  }
}
BENCHMARK(BM_ThreadPool)
    ->ArgNames({"threads", "tasks"})
    ->ArgsProduct({{2}, {2, 8}})
    ->UseRealTime();

// Inferences of loops that take one thread `us` microseconds each. Counter
// `of_one`: the time as part of what one undisturbed thread takes; 0.5 is all
// that two threads can reach alone, 0.67 beside a neighbour.
void BM_Inference(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  const int tasks = static_cast<int>(state.range(1));
  const double microseconds = static_cast<double>(state.range(2));
  Work work(tasks);
  const auto rounds = static_cast<int64_t>(
      work.RoundsPerMicrosecond() * microseconds / tasks);
  const Neighbour neighbour(state.range(3) != 0);
  WorkTeam team(threads);
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    const WorkTeam::Session session(team);
    for (int loop = 0; loop < kLoops; ++loop) {
      team.Run(tasks, [&](int task) { work.Do(task, rounds); });
    }
  }
  const std::chrono::duration<double, std::micro> taken =
      std::chrono::steady_clock::now() - start;
  const double ideal =
      microseconds * kLoops * static_cast<double>(state.iterations());
  state.counters["of_one"] = taken.count() / ideal;
}
BENCHMARK(BM_Inference)
    ->ArgNames({"threads", "tasks", "us", "neighbour"})
    ->ArgsProduct({{1, 2}, {2, 4, 8}, {20, 200, 1000}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace dovetail

BENCHMARK_MAIN();
