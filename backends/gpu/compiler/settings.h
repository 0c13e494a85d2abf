// The settings that a plan is compiled for.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_SETTINGS_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_SETTINGS_H_

#include <cstddef>
#include <memory>
#include <string>

#include "dovetail/backends/common/program/body_programs.h"
#include "dovetail/backends/gpu/codegen/lane_model.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

struct CompileSettings {
  std::shared_ptr<ClDevice> device;
  LaneModel lanes;  // of the device
  // In which floats are stored between kernels; they are computed in f32.
  ElementType storage_type = ElementType::kF32;
  // For operations with bodies; null: reference kernels run these.
  CompileBodyFn compile_body;
  // That go before the device's own; null: none.
  std::shared_ptr<const CustomKernels> custom_kernels;
  std::string cache_dir;    // of built programs; empty: none
  size_t kept_text = 0;     // as of ProgramStore
  // Whether launches that follow each other become one, where the device is a
  // processor. They are compiled together, so that is for plans that are made
  // once; and there are no times of each.
  bool joins_launches = false;
  bool print_plan = false;  // see properties::kPrintPlan
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_SETTINGS_H_
