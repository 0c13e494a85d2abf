// A program as a page for a browser.
#ifndef DOVETAIL_TOOLS_ESTIMATING_PROGRAM_PAGE_H_
#define DOVETAIL_TOOLS_ESTIMATING_PROGRAM_PAGE_H_

#include <string>

#include "dovetail/backends/vpu/contention/closed_loop.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::cli {

// What the page of a profile has, of the last inferences of a closed loop, and
// besides: a roofline of the layers that multiply, CMX and DDR over the
// layers, and each stage with its bound and its reason. `name` is the model's.
std::string ProgramPage(const std::string& name, const vpu::Program& program,
                        const vpu::LoopTimes& loop);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ESTIMATING_PROGRAM_PAGE_H_
