// dovetail estimate: how long a vision processor would take, without values.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/vpu/contention/closed_loop.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"
#include "dovetail/tools/estimating/loop_inferences.h"
#include "dovetail/tools/estimating/loop_tables.h"
#include "dovetail/tools/estimating/program_file.h"
#include "dovetail/tools/estimating/program_page.h"
#include "dovetail/tools/estimating/program_tables.h"
#include "dovetail/tools/profiling/chrome_trace.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;
using vpu::Machine;
using vpu::Program;

absl::StatusOr<Machine> MachineFor(const Arguments& arguments) {
  if (!arguments.Has("machine")) return vpu::DefaultMachine();
  return vpu::ReadMachine(arguments.Get("machine"));
}

// The times of a model for each value of each "key=v1,v2".
absl::StatusOr<Json> Sweep(const Machine& base, const Model& model,
                           const std::string& text) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto key_and_values,
                            SplitKeyValue("sweep", text));
  Json points = Json::array();
  for (absl::string_view value : absl::StrSplit(key_and_values.second, ',')) {
    Machine machine = base;
    DOVETAIL_RETURN_IF_ERROR(
        vpu::SetMachineValue(key_and_values.first, value, machine));
    DOVETAIL_ASSIGN_OR_RETURN(const Program program,
                              Program::Compile(machine, model));
    points.push_back({{"key", key_and_values.first},
                      {"value", std::string(value)},
                      {"microseconds", program.microseconds()}});
  }
  return points;
}

absl::StatusOr<Json> AllSweeps(const Machine& machine, const Model& model,
                               const Arguments& arguments) {
  Json all = Json::array();
  for (const std::string& text : arguments.GetAll("sweep")) {
    DOVETAIL_ASSIGN_OR_RETURN(const Json points, Sweep(machine, model, text));
    for (const Json& point : points) all.push_back(point);
  }
  return all;
}

void PrintSweeps(const Json& points, double total, std::ostream& out) {
  for (const Json& point : points) {
    const double us = point["microseconds"].get<double>();
    out << absl::StrFormat(
        "%10.1f us %+6.1f %%  %s = %s\n", us, 100 * (us / total - 1),
        point["key"].get<std::string>(), point["value"].get<std::string>());
  }
}

using Loops = std::vector<vpu::LoopTimes>;

// A closed loop for each number in "1,2,4".
absl::StatusOr<Loops> LoopsOf(const Program& program,
                              const Arguments& arguments) {
  Loops loops;
  if (!arguments.Has("requests")) return loops;
  for (absl::string_view text :
       absl::StrSplit(arguments.Get("requests"), ',')) {
    int requests = 0;
    if (!absl::SimpleAtoi(text, &requests)) {
      return InvalidArgument("--requests: '", text,
                             "' is no number of requests");
    }
    DOVETAIL_ASSIGN_OR_RETURN(vpu::LoopTimes times,
                              vpu::RunClosedLoop(program, requests));
    loops.push_back(std::move(times));
  }
  return loops;
}

struct Estimate {
  Program program;
  Json sweeps;
};

absl::StatusOr<Estimate> OfModel(const Arguments& arguments,
                                 const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, MachineFor(arguments));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(Program program, Program::Compile(machine, *model));
  DOVETAIL_ASSIGN_OR_RETURN(Json sweeps,
                            AllSweeps(machine, *model, arguments));
  return Estimate{std::move(program), std::move(sweeps)};
}

// Flags that only say something of what is yet to be compiled.
absl::Status CheckNoModelFlags(const Arguments& arguments,
                               const std::string& path) {
  for (const char* const flag :
       {"machine", "sweep", "weights", "shape", "batch"}) {
    if (!arguments.Has(flag)) continue;
    return InvalidArgument("--", flag, ": '", path,
                           "' is a program, compiled already; give --", flag,
                           " with the model");
  }
  return absl::OkStatus();
}

absl::StatusOr<Estimate> EstimateOf(const Arguments& arguments) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  DOVETAIL_ASSIGN_OR_RETURN(std::optional<Program> program,
                            ReadProgramFile(path));
  if (!program.has_value()) return OfModel(arguments, path);
  DOVETAIL_RETURN_IF_ERROR(CheckNoModelFlags(arguments, path));
  return Estimate{*std::move(program), Json::array()};
}

// Of the last loop that was asked for, else of one request.
absl::Status WritePictures(const Arguments& arguments, const Program& program,
                           const Loops& loops) {
  if (!arguments.Has("html") && !arguments.Has("trace")) {
    return absl::OkStatus();
  }
  vpu::LoopTimes loop;
  if (loops.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(loop, vpu::RunClosedLoop(program, 1));
  } else {
    loop = loops.back();
  }
  if (arguments.Has("trace")) {
    DOVETAIL_RETURN_IF_ERROR(WriteText(
        profiling::ChromeTrace(InferencesOf(program, loop), "VPU"),
        arguments.Get("trace")));
  }
  if (!arguments.Has("html")) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  const std::string name = std::filesystem::path(path).stem().string();
  return WriteText(ProgramPage(name, program, loop), arguments.Get("html"));
}

absl::Status WriteFiles(const Arguments& arguments, const Program& program) {
  if (arguments.Has("program")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteProgramFile(program, arguments.Get("program")));
  }
  if (!arguments.Has("csv")) return absl::OkStatus();
  return WriteText(ProgramToCsv(program), arguments.Get("csv"));
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const Estimate estimate, EstimateOf(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const Loops loops,
                            LoopsOf(estimate.program, arguments));
  DOVETAIL_RETURN_IF_ERROR(WriteFiles(arguments, estimate.program));
  DOVETAIL_RETURN_IF_ERROR(WritePictures(arguments, estimate.program, loops));
  if (json) {
    Json answer = ProgramToJson(estimate.program);
    if (!estimate.sweeps.empty()) answer["sweeps"] = estimate.sweeps;
    if (!loops.empty()) answer["loops"] = LoopsToJson(loops);
    out << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    PrintProgram(estimate.program, out);
    if (!loops.empty()) PrintLoops(loops, out);
    PrintSweeps(estimate.sweeps, estimate.program.microseconds(), out);
  }
  return kDone;
}

}  // namespace

Command EstimateCommand() {
  return {"estimate", "MODEL",
          "says how long a vision processor would take, without values",
          WithModelFlags(
              {{"machine", "FILE",
                "the description of the processor (default: a Myriad X)"},
               {"sweep", "KEY=V1,V2",
                "also the times with other values of the description", true},
               {"requests", "N,N",
                "also how long inferences take of which N run at once, each "
                "starting again when it ends"},
               {"csv", "FILE", "writes the stages as a table"},
               {"html", "FILE",
                "writes a page for a browser: timeline, layers, roofline, "
                "memory, stages"},
               {"trace", "FILE",
                "writes the timeline for chrome://tracing or Perfetto"},
               {"program", "FILE",
                "writes the program, as text to a .txt; MODEL may be such a "
                "file, or an export for VPU"}}),
          &Run};
}

}  // namespace dovetail::cli
