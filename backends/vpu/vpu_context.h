// One inference at a time of the VPU.
#ifndef DOVETAIL_BACKENDS_VPU_VPU_CONTEXT_H_
#define DOVETAIL_BACKENDS_VPU_VPU_CONTEXT_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/common/program/program_context.h"
#include "dovetail/backends/vpu/simulator/timeline.h"
#include "dovetail/core/plugin/profiling.h"

namespace dovetail::vpu {

// Values come when the host has them; times of profiles are the processor's.
class VpuContext : public ProgramContext {
 public:
  // As ProgramContext.
  VpuContext(const ProgramContextParts& parts, StreamsExecutor::Stream& stream);

  void Begin(bool synchronous) override;
  // What Timeline::Records says, and what the host ran between plans.
  std::vector<ProfilingRecord> profiling() const override;

 private:
  Timeline& timeline_;  // of the environment
  const bool by_stage_;
  int64_t start_ns_ = 0;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_VPU_CONTEXT_H_
