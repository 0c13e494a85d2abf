#include "dovetail/tools/estimating/program_tables.h"

#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;
using vpu::Machine;
using vpu::Program;
using vpu::Stage;

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

// A cell of CSV; names and reasons may hold commas and quotes.
std::string Cell(absl::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    cell += c;
    if (c == '"') cell += c;
  }
  return cell + "\"";
}

const char* PlaceName(vpu::Place place) {
  return place == vpu::Place::kCmx ? "CMX" : "DDR";
}

void PrintShares(const char* title, const std::map<std::string, int64_t>& parts,
                 double total, std::ostream& out) {
  out << absl::StrFormat("%10s:", title);
  for (const auto& [name, cycles] : parts) {
    out << absl::StrFormat(" %s %.1f %%", name,
                           100 * static_cast<double>(cycles) / total);
  }
  out << "\n";
}

}  // namespace

Json ProgramToJson(const Program& program) {
  Json layers = Json::array();
  for (const vpu::Layer& layer : program.network()) {
    layers.push_back({{"name", layer.name},
                      {"type", layer.type},
                      {"microseconds", 0.0},
                      {"macs", layer.macs},
                      {"reason", layer.reason},
                      {"stages", Json::array()}});
  }
  for (const Stage& stage : program.stages()) {
    Json& layer = layers[stage.layer];
    Json entry = ToJson(program.machine(), stage);
    layer["microseconds"] = layer["microseconds"].get<double>() +
                            entry["microseconds"].get<double>();
    layer["stages"].push_back(std::move(entry));
  }
  Json memory = Json::array();
  for (const vpu::Allocation& one : program.memory()) {
    memory.push_back({{"layer", program.network()[one.layer].name},
                      {"place", PlaceName(one.place)},
                      {"offset", one.offset},
                      {"bytes", one.bytes},
                      {"last", program.network()[one.last].name},
                      {"reason", one.reason}});
  }
  return {{"microseconds", program.microseconds()},
          {"cycles", program.cycles()},
          {"millijoules", program.millijoules()},
          {"layers", std::move(layers)},
          {"memory", std::move(memory)}};
}

std::string ProgramToCsv(const Program& program) {
  std::string csv =
      "layer,type,stage,lane,cycles,compute_cycles,input_cycles,"
      "output_cycles,macs,dma_bytes,bound,reason\n";
  for (const Stage& stage : program.stages()) {
    const vpu::Layer& layer = program.network()[stage.layer];
    absl::StrAppend(&csv, Cell(layer.name), ",", Cell(layer.type), ",",
                    Cell(stage.name), ",", vpu::Name(stage.lane), ",",
                    stage.cycles, ",", stage.compute_cycles, ",",
                    stage.input_cycles, ",", stage.output_cycles, ",",
                    stage.macs, ",", stage.bytes, ",", stage.bound, ",",
                    Cell(stage.reason), "\n");
  }
  return csv;
}

void PrintProgram(const Program& program, std::ostream& out) {
  out << absl::StrFormat("%10s %5s %9s %-7s %-5s  %s\n", "us", "%", "GMAC/s",
                         "bound", "lane", "stage: why");
  const double total = program.microseconds();
  int64_t macs = 0;
  std::map<std::string, int64_t> lanes, bounds;
  for (const Stage& stage : program.stages()) {
    const double us =
        program.machine().microseconds(static_cast<double>(stage.cycles));
    // What is hidden has no time.
    const double rate = us > 0 ? static_cast<double>(stage.macs) / us / 1e3 : 0;
    macs += stage.macs;
    lanes[std::string(vpu::Name(stage.lane))] += stage.cycles;
    bounds[stage.bound] += stage.cycles;
    out << absl::StrFormat("%10.1f %5.1f %9.1f %-7s %-5s  %s: %s\n", us,
                           100 * us / total, rate, stage.bound,
                           vpu::Name(stage.lane), stage.name, stage.reason);
  }
  out << absl::StrFormat("%10.1f us in %d stages of %d layers, %.3f GMAC\n",
                         total, program.stages().size(),
                         program.network().size(),
                         static_cast<double>(macs) / 1e9);
  out << absl::StrFormat(
      "%10s: CMX %.1f of %.1f KiB, DDR %.1f KiB\n", "memory",
      static_cast<double>(program.PeakBytes(vpu::Place::kCmx)) / 1024,
      program.machine().cmx_bytes() / 1024,
      static_cast<double>(program.PeakBytes(vpu::Place::kDdr)) / 1024);
  out << absl::StrFormat("%10s: %.1f mJ, of %g W all the time\n", "energy",
                         program.millijoules(), program.machine().power_w);
  const double cycles = static_cast<double>(program.cycles());
  PrintShares("by unit", lanes, cycles, out);
  PrintShares("by bound", bounds, cycles, out);
}

}  // namespace dovetail::cli
