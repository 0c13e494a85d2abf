// Prints what a model costs that CPU and REFERENCE have both compiled:
//
//   bazel run -c opt //testing/one_process:measure_loaded -- MODEL
//
// measure_linked does the same with both devices linked in.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/one_process/cpu_here.h"
#include "dovetail/testing/one_process/process_state.h"

namespace dovetail {
namespace {

constexpr int kInferences = 300;

template <typename T>
T OrDie(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
  std::exit(2);
}

double MillisecondsOf(InferRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  if (!request.Infer().ok()) std::exit(2);
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - start;
  return took.count();
}

void Measure(const char* path) {
  BringCpuHere();
  Core core;
  const CompiledModel reference = OrDie(core.Compile(path, "REFERENCE"));
  const CompiledModel cpu = OrDie(core.Compile(path, "CPU"));
  InferRequest request = OrDie(cpu.NewRequest());
  double best = MillisecondsOf(request);
  for (int i = 0; i < kInferences; ++i) {
    best = std::min(best, MillisecondsOf(request));
  }
  int threads = 0;
  for (const auto& [name, count] : DovetailThreads()) threads += count;
  std::printf(
      "threads %d  RSS %.2f MiB, anonymous %.2f MiB  best of %d %.3f "
      "ms\n",
      threads, static_cast<double>(StatusKib("VmRSS")) / 1024,
      static_cast<double>(StatusKib("RssAnon")) / 1024, kInferences, best);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  dovetail::Measure(argv[1]);
  return 0;
}
