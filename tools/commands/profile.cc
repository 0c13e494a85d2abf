// dovetail profile: how long each layer takes, and what runs it.
#include "dovetail/tools/profiling/profile.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/input/input_values.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/execution_table.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"
#include "dovetail/tools/profiling/chrome_trace.h"
#include "dovetail/tools/profiling/profile_page.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

using profiling::CounterOfStage;
using profiling::NamedTime;
using profiling::Profile;
using profiling::TimedPart;

// What ran each layer and how long it took.
absl::Status WriteTimes(const Model& described, const Profile& profile,
                        const std::string& path) {
  LayerTimes times;
  for (const TimedPart& layer : profile.layers()) {
    times[layer.record.name] += layer.ns / profile.inferences();
  }
  const std::unique_ptr<Model> timed = described.Clone();
  AddExecutionTimes(times, *timed);
  return WriteExecution(*timed, path);
}

// What the times depend on. What the device does not know is left out.
profiling::Facts FactsOf(const Core& core, const CompiledModel& model,
                         const std::string& path, const std::string& device,
                         const Profile& profile) {
  profiling::Facts facts = {{"model", path}, {"device", device}};
  const auto add = [&](const char* what,
                       const absl::StatusOr<std::string>& is) {
    if (is.ok() && !is->empty()) facts.emplace_back(what, *is);
  };
  add("device's name", core.GetProperty(device, "FULL_DEVICE_NAME"));
  add("processor", absl::StrCat(CpuModelName(), ", ", UsableCpus(), " usable"));
  for (const char* key : {"INFERENCE_PRECISION_HINT", "INFERENCE_NUM_THREADS",
                          "NUM_STREAMS", "PERFORMANCE_HINT"}) {
    add(key, model.GetProperty(key));
  }
  if (const auto version = core.Version(device); version.ok()) {
    add("backend", version->description);
    add("build", version->build);
  }
  add("inference", absl::StrFormat("%.3f ms, the mean of %d",
                                   profile.Milliseconds(profile.wall_ns()),
                                   profile.inferences()));
  return facts;
}

// Infers again and again until the time is over.
absl::StatusOr<Profile> InferFor(double seconds, InferRequest& request) {
  DOVETAIL_RETURN_IF_ERROR(request.Infer());  // warms up
  Profile profile;
  const auto end_ns = SteadyNanoseconds() + static_cast<int64_t>(seconds * 1e9);
  int64_t now_ns = 0;
  do {
    profiling::Inference inference;
    inference.start_ns = SteadyNanoseconds();
    DOVETAIL_RETURN_IF_ERROR(request.Infer());
    now_ns = SteadyNanoseconds();
    inference.duration_ns = now_ns - inference.start_ns;
    DOVETAIL_ASSIGN_OR_RETURN(inference.records, request.Profiling());
    profile.Add(std::move(inference));
  } while (now_ns < end_ns);
  return profile;
}

// The files that are asked for.
absl::Status WriteFiles(const Core& core, const CompiledModel& model,
                        const std::string& path, const std::string& device,
                        const Profile& profile, const Arguments& arguments) {
  const std::unique_ptr<Model> described = model.DescribeExecution();
  if (arguments.Has("execution")) {
    if (described == nullptr) {
      return Unimplemented("device ", device,
                           " does not show the graph that it runs");
    }
    DOVETAIL_RETURN_IF_ERROR(
        WriteTimes(*described, profile, arguments.Get("execution")));
  }
  if (arguments.Has("trace")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteText(profiling::ChromeTrace(profile.kept(), device),
                  arguments.Get("trace")));
  }
  if (!arguments.Has("html")) return absl::OkStatus();
  const std::string title =
      absl::StrCat("Profile of ", std::filesystem::path(path).stem().string(),
                   " on ", device);
  return WriteText(
      profiling::ProfilePage(title, FactsOf(core, model, path, device, profile),
                             profile, device, described.get(),
                             model.GetProperty("MEMORY_PLAN").value_or("")),
      arguments.Get("html"));
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
  DOVETAIL_ASSIGN_OR_RETURN(Profile profile, InferFor(seconds, request));
  DOVETAIL_RETURN_IF_ERROR(
      WriteFiles(core, model, path, device, profile, arguments));
  return profile;
}

void PrintSums(const std::vector<NamedTime>& sums, const Profile& profile,
               std::ostream& out) {
  for (const auto& [name, ns] : sums) {
    out << absl::StreamFormat("%8.3f %5.1f%%  %s\n", profile.Milliseconds(ns),
                              profile.Percent(ns), name);
  }
}

void Print(const Profile& profile, std::ostream& out) {
  out << "      ms      %  layer\n";
  for (const TimedPart& layer : profile.layers()) {
    out << absl::StreamFormat("%8.3f %5.1f%%  %s  %s  %s\n",
                              profile.Milliseconds(layer.ns),
                              profile.Percent(layer.ns), layer.record.type,
                              layer.record.name, layer.record.kernel);
  }
  out << "\n      ms      %  by type\n";
  PrintSums(profile.ByType(), profile, out);
  out << "\n      ms      %  by operation and kernel\n";
  PrintSums(profile.ByKernel(), profile, out);
  out << "\n      ms  stage\n";
  for (const TimedPart& stage : profile.stages()) {
    const std::string counter = CounterOfStage(stage.record.name);
    out << absl::StreamFormat("%8.3f  %s%s\n", profile.Milliseconds(stage.ns),
                              stage.record.name,
                              counter.empty() ? "" : " (" + counter + ")");
  }
  out << absl::StreamFormat(
      "%8.3f ms an inference, %.3f of them in %d layers, the mean of %d "
      "inferences\n",
      profile.Milliseconds(profile.wall_ns()),
      profile.Milliseconds(profile.layers_ns()), profile.layers().size(),
      profile.inferences());
}

Json LayersToJson(const Profile& profile) {
  Json layers = Json::array();
  for (const TimedPart& layer : profile.layers()) {
    layers.push_back({{"name", layer.record.name},
                      {"type", layer.record.type},
                      {"kernel", layer.record.kernel},
                      {"ms", profile.Milliseconds(layer.ns)}});
  }
  return layers;
}

Json ToJson(const Profile& profile) {
  Json types = Json::array();
  for (const auto& [type, ns] : profile.ByType()) {
    types.push_back({{"type", type}, {"ms", profile.Milliseconds(ns)}});
  }
  Json stages = Json::array();
  for (const TimedPart& stage : profile.stages()) {
    Json& entry = stages.emplace_back(Json{
        {"name", stage.record.name}, {"ms", profile.Milliseconds(stage.ns)}});
    const std::string counter = CounterOfStage(stage.record.name);
    if (!counter.empty()) entry["counter"] = counter;
  }
  return {{"inferences", profile.inferences()},
          {"ms", profile.Milliseconds(profile.layers_ns())},
          {"wall_ms", profile.Milliseconds(profile.wall_ns())},
          {"layers", LayersToJson(profile)},
          {"types", std::move(types)},
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
    out << ToJson(profile).dump(-1, ' ', false, Json::error_handler_t::replace)
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
  flags.push_back({"trace", "FILE",
                   "writes the last inferences as a trace that Chrome and "
                   "Perfetto open (JSON)"});
  flags.push_back({"html", "FILE",
                   "writes a page with pictures of where time and memory go"});
  return {"profile", "MODEL", "says how long each layer takes and what runs it",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
