// Epilogues that the kernels of normalized pixels compute.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_EPILOGUE_H_

#include <vector>

#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue.h"

namespace dovetail::cpu {

struct FoundPixelEpilogue {
  Epilogue epilogue;           // the operations that it has; none: no stages
  PixelEpilogue form;          // its pointer is null
  std::vector<float> numbers;  // what it is to point to
};

// What follows `normalized`, [N, C, spatial …]: FakeQuantize to floats, a scale
// and a shift, a slope and limits, FakeQuantize to bytes, each if it is there.
FoundPixelEpilogue FindPixelEpilogue(Value normalized,
                                     const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_EPILOGUE_H_
