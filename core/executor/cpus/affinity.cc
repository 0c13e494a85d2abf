#include "dovetail/core/executor/cpus/affinity.h"

#include <sched.h>

#include <memory>

namespace dovetail {
namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using OwnedCpuSet = std::unique_ptr<cpu_set_t, FreeCpuSet>;

// cpu_set_t ends at 1024 processors; machines with more need larger masks.
constexpr int kMaxCpus = 1 << 20;

}  // namespace

bool SetAffinity(pthread_t thread, const CpuSet& cpus) {
  if (cpus.empty() || cpus.front() < 0 || cpus.back() >= kMaxCpus) {
    return false;
  }
  const int count = cpus.back() + 1;
  const OwnedCpuSet set(CPU_ALLOC(count));
  if (set == nullptr) return false;
  const size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set.get());
  for (const int cpu : cpus) CPU_SET_S(cpu, size, set.get());
  return pthread_setaffinity_np(thread, size, set.get()) == 0;
}

CpuSet AffinityOf(pthread_t thread) {
  CpuSet cpus;
  for (int count = 1024; count <= kMaxCpus; count *= 4) {
    const OwnedCpuSet set(CPU_ALLOC(count));
    if (set == nullptr) return cpus;
    const size_t size = CPU_ALLOC_SIZE(count);
    if (pthread_getaffinity_np(thread, size, set.get()) != 0) continue;
    for (int cpu = 0; cpu < count; ++cpu) {
      if (CPU_ISSET_S(cpu, size, set.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return cpus;
}

}  // namespace dovetail
