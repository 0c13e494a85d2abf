#include "dovetail/backends/vpu/vpu_context.h"

#include <utility>

#include "dovetail/backends/vpu/vpu_properties.h"

namespace dovetail::vpu {

VpuContext::VpuContext(const ProgramContextParts& parts,
                       StreamsExecutor::Stream& stream)
    : ProgramContext(parts, stream),
      timeline_(Timeline::Of(environment())),
      by_stage_(parts.executable.config().GetString(kPerfReportMode) ==
                "PER_STAGE") {}

void VpuContext::Begin(bool synchronous) {
  ProgramContext::Begin(synchronous);
  timeline_.Begin();
  start_ns_ = SteadyNanoseconds();
}

std::vector<ProfilingRecord> VpuContext::profiling() const {
  std::vector<ProfilingRecord> records =
      timeline_.Records(start_ns_, by_stage_);
  std::vector<ProfilingRecord> host = ProgramContext::profiling();
  for (ProfilingRecord& record : host) {
    if (!timeline_.Has(record.name)) records.push_back(std::move(record));
  }
  return records;
}

}  // namespace dovetail::vpu
