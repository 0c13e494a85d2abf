// dovetail profile: how long each layer takes, and what runs it.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/execution_table.h"
#include "dovetail/tools/cli/input_values.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Layer {
  ProfilingRecord record;
  int64_t ns = 0;  // of all inferences
};

struct Profile {
  std::vector<Layer> layers;  // in order of execution
  std::vector<Layer> stages;
  int64_t inferences = 0;
  int64_t layers_ns = 0;
  int64_t wall_ns = 0;

  double Milliseconds(int64_t ns) const {
    return static_cast<double>(ns) / 1e6 / static_cast<double>(inferences);
  }
  double Percent(int64_t ns) const {
    return 100 * static_cast<double>(ns) /
           static_cast<double>(std::max<int64_t>(1, layers_ns));
  }
};

// Adds records up by what they are of: layers differ from inference to
// inference in loops and where shapes change.
class Sums {
 public:
  void Add(const std::vector<ProfilingRecord>& records, Profile& profile) {
    for (const ProfilingRecord& record : records) {
      if (record.status != ProfilingRecord::Status::kExecuted) continue;
      const bool is_layer = record.kind == ProfilingRecord::Kind::kLayer;
      Entry(record, is_layer ? profile.layers : profile.stages).ns +=
          record.duration_ns;
      if (is_layer) profile.layers_ns += record.duration_ns;
    }
    ++profile.inferences;
  }

 private:
  Layer& Entry(const ProfilingRecord& record, std::vector<Layer>& layers) {
    const auto [it, is_new] = index_.emplace(
        std::tuple(record.kind, record.name, record.type, record.kernel),
        layers.size());
    if (is_new) layers.push_back({record, 0});
    return layers[it->second];
  }

  std::map<std::tuple<ProfilingRecord::Kind, std::string, std::string,
                      std::string>,
           size_t>
      index_;
};

// What ran each layer and how long it took.
absl::Status WriteTimes(const CompiledModel& model, const std::string& device,
                        const Profile& profile, const std::string& path) {
  const std::unique_ptr<Model> described = model.DescribeExecution();
  if (described == nullptr) {
    return Unimplemented("device ", device,
                         " does not show the graph that it runs");
  }
  LayerTimes times;
  for (const Layer& layer : profile.layers) {
    times[layer.record.name] += layer.ns / profile.inferences;
  }
  AddExecutionTimes(times, *described);
  return WriteExecution(*described, path);
}

absl::StatusOr<Profile> Measure(const Core& core, const Arguments& arguments,
                                const std::string& path,
                                const std::string& device) {
  DOVETAIL_ASSIGN_OR_RETURN(const double seconds,
                            arguments.GetDouble("seconds", 1, 0.001, 86400));
  DOVETAIL_ASSIGN_OR_RETURN(PropertyMap properties,
                            ChooseProperties(arguments));
  properties["PERF_COUNT"] = "YES";
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel model,
      CompileOrImport(core, arguments, path, device, properties));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> inputs,
      ReadInputs(model, arguments, /*make_missing=*/true));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_RETURN_IF_ERROR(SetInputs(inputs, request));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());  // warms up
  Profile profile;
  Sums sums;
  const auto end_ns =
      SteadyNanoseconds() + static_cast<int64_t>(seconds * 1e9);
  do {
    const int64_t start_ns = SteadyNanoseconds();
    DOVETAIL_RETURN_IF_ERROR(request.Infer());
    profile.wall_ns += SteadyNanoseconds() - start_ns;
    DOVETAIL_ASSIGN_OR_RETURN(const auto records, request.Profiling());
    sums.Add(records, profile);
  } while (SteadyNanoseconds() < end_ns);
  if (arguments.Has("execution")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteTimes(model, device, profile, arguments.Get("execution")));
  }
  return profile;
}

// Times by what ran, the longest first.
std::vector<std::pair<std::string, int64_t>> ByKernel(const Profile& profile) {
  std::map<std::string, int64_t> sums;
  for (const Layer& layer : profile.layers) {
    sums[layer.record.type + "  " + layer.record.kernel] += layer.ns;
  }
  std::vector<std::pair<std::string, int64_t>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a,
                                                    const auto& b) {
    return a.second > b.second;
  });
  return sorted;
}

void Print(const Profile& profile, std::ostream& out) {
  out << "      ms      %  layer\n";
  for (const Layer& layer : profile.layers) {
    out << absl::StreamFormat("%8.3f %5.1f%%  %s  %s  %s\n",
                              profile.Milliseconds(layer.ns),
                              profile.Percent(layer.ns),
                              layer.record.type, layer.record.name,
                              layer.record.kernel);
  }
  out << "\n      ms      %  by operation and kernel\n";
  for (const auto& [kernel, ns] : ByKernel(profile)) {
    out << absl::StreamFormat("%8.3f %5.1f%%  %s\n", profile.Milliseconds(ns),
                              profile.Percent(ns), kernel);
  }
  out << "\n      ms  stage\n";
  for (const Layer& stage : profile.stages) {
    out << absl::StreamFormat("%8.3f  %s\n", profile.Milliseconds(stage.ns),
                              stage.record.name);
  }
  out << absl::StreamFormat(
      "%8.3f ms an inference, %.3f of them in %d layers, the mean of %d "
      "inferences\n",
      profile.Milliseconds(profile.wall_ns),
      profile.Milliseconds(profile.layers_ns), profile.layers.size(),
      profile.inferences);
}

Json ToJson(const Profile& profile) {
  Json layers = Json::array();
  for (const Layer& layer : profile.layers) {
    layers.push_back({{"name", layer.record.name},
                      {"type", layer.record.type},
                      {"kernel", layer.record.kernel},
                      {"ms", profile.Milliseconds(layer.ns)}});
  }
  Json stages = Json::array();
  for (const Layer& stage : profile.stages) {
    stages.push_back({{"name", stage.record.name},
                      {"ms", profile.Milliseconds(stage.ns)}});
  }
  return {{"inferences", profile.inferences},
          {"ms", profile.Milliseconds(profile.layers_ns)},
          {"wall_ms", profile.Milliseconds(profile.wall_ns)},
          {"layers", std::move(layers)},
          {"stages", std::move(stages)}};
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDeviceOf(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const Profile profile,
                            Measure(core, arguments, path, device));
  if (json) {
    out << ToJson(profile).dump(-1, ' ', false,
                                Json::error_handler_t::replace)
        << "\n";
  } else {
    Print(profile, out);
  }
  return kDone;
}

}  // namespace

Command ProfileCommand() {
  std::vector<Flag> flags = InputFlags();
  flags.push_back({"seconds", "S", "how long to measure (default: 1)"});
  flags.push_back(
      {"execution", "FILE",
       "writes how each layer runs: kernel, precision, layouts, time; a table, "
       "or an IR where FILE ends in .xml"});
  return {"profile", "MODEL", "says how long each layer takes and what runs it",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
