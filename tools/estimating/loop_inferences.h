// Inferences of a closed loop as records of a profile.
#ifndef DOVETAIL_TOOLS_ESTIMATING_LOOP_INFERENCES_H_
#define DOVETAIL_TOOLS_ESTIMATING_LOOP_INFERENCES_H_

#include <deque>

#include "dovetail/backends/vpu/contention/closed_loop.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/tools/profiling/profile.h"

namespace dovetail::cli {

// The last inference of each request, from the loop's beginning on. Stages of
// the program are records of layers, each with its name and the units that ran
// it as lanes (vpu::LanesOf), with cycles, macs and bytes. What runs beside an
// engine's stage is hidden: it begins with that stage. What the host, the link
// and waiting take are records of stages, those of the link in its own lane,
// "link".
std::deque<profiling::Inference> InferencesOf(const vpu::Program& program,
                                              const vpu::LoopTimes& loop);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ESTIMATING_LOOP_INFERENCES_H_
