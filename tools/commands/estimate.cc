// dovetail estimate: how long a vision processor would take, without values.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/vpu/compiler/compile.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/text_file.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;
using vpu::Machine;
using vpu::Network;
using vpu::Program;
using vpu::Stage;

struct Estimate {
  Machine machine;
  Network network;
  Program program;

  double total() const {
    return machine.microseconds(static_cast<double>(vpu::TotalCycles(program)));
  }
};

absl::StatusOr<Machine> ReadMachine(const Arguments& arguments) {
  if (!arguments.Has("machine")) return vpu::DefaultMachine();
  const std::string path = arguments.Get("machine");
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return NotFound("cannot read the machine ", path);
  return vpu::ParseMachine(text.str(), path);
}

absl::StatusOr<Estimate> EstimateOn(Machine machine, const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(Network network, vpu::LowerModel(machine, model));
  DOVETAIL_ASSIGN_OR_RETURN(Program program, vpu::Compile(machine, network));
  return Estimate{machine, std::move(network), std::move(program)};
}

Json ToJson(const Machine& machine, const Stage& stage) {
  return {
      {"name", stage.name},
      {"lane", std::string(vpu::Name(stage.lane))},
      {"microseconds", machine.microseconds(static_cast<double>(stage.cycles))},
      {"cycles", stage.cycles},
      {"compute_cycles", stage.compute_cycles},
      {"input_cycles", stage.input_cycles},
      {"output_cycles", stage.output_cycles},
      {"macs", stage.macs},
      {"dma_bytes", stage.bytes},
      {"bound", stage.bound},
      {"reason", stage.reason}};
}

Json ToJson(const Estimate& estimate) {
  Json layers = Json::array();
  for (const vpu::Layer& layer : estimate.network) {
    layers.push_back({{"name", layer.name},
                      {"type", layer.type},
                      {"microseconds", 0.0},
                      {"macs", layer.macs},
                      {"reason", layer.reason},
                      {"stages", Json::array()}});
  }
  for (const Stage& stage : estimate.program) {
    Json& layer = layers[stage.layer];
    Json entry = ToJson(estimate.machine, stage);
    layer["microseconds"] = layer["microseconds"].get<double>() +
                            entry["microseconds"].get<double>();
    layer["stages"].push_back(std::move(entry));
  }
  return {{"microseconds", estimate.total()},
          {"cycles", vpu::TotalCycles(estimate.program)},
          {"layers", std::move(layers)}};
}

// A cell of CSV; names and reasons may hold commas and quotes.
std::string Cell(absl::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    cell += c;
    if (c == '"') cell += c;
  }
  return cell + "\"";
}

std::string ToCsv(const Estimate& estimate) {
  std::string csv =
      "layer,type,stage,lane,cycles,compute_cycles,input_cycles,"
      "output_cycles,macs,dma_bytes,bound,reason\n";
  for (const Stage& stage : estimate.program) {
    const vpu::Layer& layer = estimate.network[stage.layer];
    absl::StrAppend(&csv, Cell(layer.name), ",", Cell(layer.type), ",",
                    Cell(stage.name), ",", vpu::Name(stage.lane), ",",
                    stage.cycles, ",", stage.compute_cycles, ",",
                    stage.input_cycles, ",", stage.output_cycles, ",",
                    stage.macs, ",", stage.bytes, ",", stage.bound, ",",
                    Cell(stage.reason), "\n");
  }
  return csv;
}

// Stages in order, those of a layer below each other.
void Print(const Estimate& estimate, std::ostream& out) {
  out << absl::StrFormat("%10s %5s %9s %-7s %-5s  %s\n", "us", "%", "GMAC/s",
                         "bound", "lane", "stage: why");
  const double total = estimate.total();
  int64_t macs = 0;
  for (const Stage& stage : estimate.program) {
    const double us =
        estimate.machine.microseconds(static_cast<double>(stage.cycles));
    macs += stage.macs;
    out << absl::StrFormat(
        "%10.1f %5.1f %9.1f %-7s %-5s  %s: %s\n", us, 100 * us / total,
        static_cast<double>(stage.macs) / us / 1e3, stage.bound,
        vpu::Name(stage.lane), stage.name, stage.reason);
  }
  out << absl::StrFormat("%10.1f us in %d stages of %d layers, %.3f GMAC\n",
                         total, estimate.program.size(),
                         estimate.network.size(),
                         static_cast<double>(macs) / 1e9);
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
    DOVETAIL_ASSIGN_OR_RETURN(const Estimate estimate,
                              EstimateOn(machine, model));
    points.push_back({{"key", key_and_values.first},
                      {"value", std::string(value)},
                      {"microseconds", estimate.total()}});
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

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine, ReadMachine(arguments));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const Estimate estimate,
                            EstimateOn(machine, *model));
  DOVETAIL_ASSIGN_OR_RETURN(const Json sweeps,
                            AllSweeps(machine, *model, arguments));
  if (arguments.Has("csv")) {
    DOVETAIL_RETURN_IF_ERROR(WriteText(ToCsv(estimate), arguments.Get("csv")));
  }
  if (json) {
    Json answer = ToJson(estimate);
    if (!sweeps.empty()) answer["sweeps"] = sweeps;
    out << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    Print(estimate, out);
    PrintSweeps(sweeps, estimate.total(), out);
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
               {"csv", "FILE", "writes the stages as a table"}}),
          &Run};
}

}  // namespace dovetail::cli
