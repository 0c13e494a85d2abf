#include "dovetail/tools/estimating/program_page.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/tools/estimating/loop_inferences.h"
#include "dovetail/tools/pages/page.h"
#include "dovetail/tools/pages/texts.h"
#include "dovetail/tools/profiling/profile_page.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;
using vpu::Layer;
using vpu::LayerKind;
using vpu::Machine;
using vpu::Program;
using vpu::Stage;

profiling::Facts FactsOf(const std::string& name, const Program& program,
                         const vpu::LoopTimes& loop) {
  const Machine& machine = program.machine();
  return {
      {"model", name},
      {"processor",
       absl::StrFormat("%g MHz, %g MAC a cycle, %g executors of %g KiB CMX",
                       machine.clock_mhz, machine.macs_per_cycle,
                       machine.executors, machine.cmx_bytes() / 1024)},
      {"one inference",
       absl::StrFormat("%.3f ms in %d stages", program.microseconds() / 1000,
                       program.stages().size())},
      {"at once",
       absl::StrFormat("%d: %.2f inferences a second, latency %.3f ms",
                       loop.requests, loop.per_second(), loop.latency / 1000)},
      {"CMX, DDR in use",
       absl::StrFormat("%.1f KiB, %.1f KiB",
                       program.PeakBytes(vpu::Place::kCmx) / 1024.0,
                       program.PeakBytes(vpu::Place::kDdr) / 1024.0)}};
}

double Microseconds(const Program& program, int64_t cycles) {
  return program.machine().microseconds(static_cast<double>(cycles));
}

// Operands in f16 that a layer reads and writes, each once.
int64_t OperandBytes(const Layer& layer) {
  const vpu::ConvShape& s = layer.shape;
  const int64_t input = s.in_channels * s.in_height * s.in_width;
  const int64_t output = s.out_channels * s.out_height * s.out_width;
  const int64_t weights =
      layer.kind == LayerKind::kConvolution
          ? s.in_channels * s.out_channels * s.kernel_x * s.kernel_y
          : 0;
  return 2 * (layer.repeats * (input + output) + weights);
}

Json RooflineOf(const Program& program) {
  const Machine& machine = program.machine();
  Json points = Json::array();
  for (size_t i = 0; i < program.network().size(); ++i) {
    const Layer& layer = program.network()[i];
    const double us = Microseconds(program, program.layers()[i].cycles);
    if (layer.kind != LayerKind::kConvolution || us <= 0 || layer.macs == 0) {
      continue;
    }
    const double macs = static_cast<double>(layer.macs);
    points.push_back({{"name", layer.name},
                      {"type", layer.type},
                      {"x", macs / static_cast<double>(OperandBytes(layer))},
                      {"y", macs / us / 1e3}});
  }
  return {
      {"gmacs", machine.macs_per_cycle * machine.clock_mhz / 1e3},
      {"gbytes", machine.burst_byte_ns > 0 ? 1 / machine.burst_byte_ns : 1e3},
      {"points", std::move(points)}};
}

// Rectangles over the layers, of CMX and of DDR.
Json MapOf(const Program& program) {
  Json map = Json::array();
  for (const vpu::Allocation& one : program.memory()) {
    const Layer& layer = program.network()[one.layer];
    map.push_back({{"name", layer.name},
                   {"type", layer.type},
                   {"cmx", one.place == vpu::Place::kCmx},
                   {"offset", one.offset},
                   {"bytes", one.bytes},
                   {"first", one.first_stage},
                   {"last", one.last_stage},
                   {"reason", one.reason}});
  }
  return {{"stages", program.stages().size()},
          {"cmx", program.machine().cmx_bytes()},
          {"rows", std::move(map)}};
}

Json StagesOf(const Program& program) {
  Json stages = Json::array();
  for (const Stage& stage : program.stages()) {
    stages.push_back({{"name", stage.name},
                      {"type", program.network()[stage.layer].type},
                      {"lane", std::string(vpu::Name(stage.lane))},
                      {"ms", Microseconds(program, stage.cycles) / 1e3},
                      {"bound", stage.bound},
                      {"reason", stage.reason}});
  }
  return stages;
}

// Without layers that go into others, and other names of memory: nobody reads
// these by their own index.
Json GraphOf(const Program& program) {
  std::vector<int> indices(program.network().size(), -1);
  Json graph = Json::array();
  for (size_t i = 0; i < program.network().size(); ++i) {
    const Layer& layer = program.network()[i];
    if (layer.kind == LayerKind::kView && layer.inputs.size() < 2) continue;
    indices[i] = static_cast<int>(graph.size());
    Json inputs = Json::array();
    for (const int input : layer.inputs) {
      if (indices[input] >= 0) inputs.push_back(indices[input]);
    }
    graph.push_back(
        {{"name", layer.name},
         {"type", layer.type},
         {"kernel", program.KernelName(layer.name)},
         {"precision", "f16"},
         {"layouts", ""},
         {"into", ""},
         {"ms", Microseconds(program, program.layers()[i].cycles) / 1e3},
         {"inputs", std::move(inputs)}});
  }
  return graph;
}

}  // namespace

std::string ProgramPage(const std::string& name, const Program& program,
                        const vpu::LoopTimes& loop) {
  profiling::Profile profile;
  for (profiling::Inference& inference : InferencesOf(program, loop)) {
    profile.Add(std::move(inference));
  }
  const std::string title = absl::StrCat("Estimate of ", name, " on VPU");
  Json data = profiling::ProfileData(title, FactsOf(name, program, loop),
                                     profile, "VPU");
  data["graph"] = GraphOf(program);
  data["roofline"] = RooflineOf(program);
  data["map"] = MapOf(program);
  data["program"] = StagesOf(program);
  return pages::Page(
      title, data, absl::StrCat(pages::kProfileScript, pages::kProgramScript));
}

}  // namespace dovetail::cli
