// The plans that the GPU gives to programs.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_GPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_GPU_PLAN_COMPILER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/gpu/compiler/emitter.h"
#include "dovetail/backends/gpu/compiler/settings.h"
#include "dovetail/backends/gpu/plan/device_constants.h"
#include "dovetail/backends/gpu/plan/program_store.h"

namespace dovetail::gpu {

// One a compiled model: all its plans share constants.
class GpuPlanCompiler : public PlanCompiler {
 public:
  // `settings` get a compiler of bodies.
  static std::shared_ptr<GpuPlanCompiler> Create(CompileSettings settings,
                                                 EmitFn emit);

  WeightsCache& weights() { return weights_; }
  ProgramStore& programs() { return programs_; }

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

  // Suppressions become bounded.
  absl::StatusOr<std::shared_ptr<const Model>> Adapt(
      std::shared_ptr<const Model> model) const override;

  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

 private:
  GpuPlanCompiler(CompileSettings settings, EmitFn emit)
      : settings_(std::move(settings)),
        emit_(emit),
        programs_(settings_.cache_dir, settings_.kept_text),
        constants_(settings_.device) {}

  CompileSettings settings_;
  const EmitFn emit_;
  ProgramStore programs_;
  WeightsCache weights_;
  DeviceConstants constants_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_GPU_PLAN_COMPILER_H_
