// A program's stages for people and for other programs.
#ifndef DOVETAIL_TOOLS_ESTIMATING_PROGRAM_TABLES_H_
#define DOVETAIL_TOOLS_ESTIMATING_PROGRAM_TABLES_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::cli {

// Layers with their stages, each with time, cycles, bytes and its reason, and
// where outputs lie.
nlohmann::ordered_json ProgramToJson(const vpu::Program& program);

// A line for each stage, with a header.
std::string ProgramToCsv(const vpu::Program& program);

// Stages in order, the memory, and which share of the time each unit has and
// each bound.
void PrintProgram(const vpu::Program& program, std::ostream& out);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_ESTIMATING_PROGRAM_TABLES_H_
