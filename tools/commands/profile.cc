// dovetail profile: how long each layer takes, and what runs it.
#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
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
  int64_t real_us = 0;  // of all inferences
};

// Layers in order of execution, or by time.
struct Profile {
  std::vector<Layer> layers;
  int64_t inferences = 0;
  int64_t total_us = 0;

  double Milliseconds(int64_t us) const {
    return static_cast<double>(us) / 1000 / static_cast<double>(inferences);
  }
  double Percent(int64_t us) const {
    return 100 * static_cast<double>(us) /
           static_cast<double>(std::max<int64_t>(1, total_us));
  }
};

void Add(const std::vector<ProfilingRecord>& records, Profile& profile) {
  // Layers are the same each time but in loops and where shapes change.
  if (profile.layers.size() < records.size()) {
    profile.layers.resize(records.size());
  }
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].status != ProfilingRecord::Status::kExecuted) continue;
    profile.layers[i].record = records[i];
    profile.layers[i].real_us += records[i].real_time_us;
    profile.total_us += records[i].real_time_us;
  }
  ++profile.inferences;
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
      CompileModel(core, arguments, path, device, properties));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> inputs,
      ReadInputs(model, arguments, /*make_missing=*/true));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_RETURN_IF_ERROR(SetInputs(inputs, request));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());  // warms up
  Profile profile;
  const auto start = std::chrono::steady_clock::now();
  do {
    DOVETAIL_RETURN_IF_ERROR(request.Infer());
    DOVETAIL_ASSIGN_OR_RETURN(const auto records, request.Profiling());
    Add(records, profile);
  } while (std::chrono::steady_clock::now() - start <
           std::chrono::duration<double>(seconds));
  profile.layers.erase(
      std::remove_if(profile.layers.begin(), profile.layers.end(),
                     [](const Layer& layer) {
                       return layer.record.status !=
                              ProfilingRecord::Status::kExecuted;
                     }),
      profile.layers.end());
  return profile;
}

// Times by what ran, the longest first.
std::vector<std::pair<std::string, int64_t>> ByKernel(const Profile& profile) {
  std::map<std::string, int64_t> sums;
  for (const Layer& layer : profile.layers) {
    sums[layer.record.type + "  " + layer.record.kernel] += layer.real_us;
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
                              profile.Milliseconds(layer.real_us),
                              profile.Percent(layer.real_us),
                              layer.record.type, layer.record.name,
                              layer.record.kernel);
  }
  out << "\n      ms      %  by operation and kernel\n";
  for (const auto& [kernel, us] : ByKernel(profile)) {
    out << absl::StreamFormat("%8.3f %5.1f%%  %s\n", profile.Milliseconds(us),
                              profile.Percent(us), kernel);
  }
  out << absl::StreamFormat("%8.3f ms an inference in %d layers, the mean of "
                            "%d inferences\n",
                            profile.Milliseconds(profile.total_us),
                            profile.layers.size(), profile.inferences);
}

Json ToJson(const Profile& profile) {
  Json layers = Json::array();
  for (const Layer& layer : profile.layers) {
    layers.push_back({{"name", layer.record.name},
                      {"type", layer.record.type},
                      {"kernel", layer.record.kernel},
                      {"ms", profile.Milliseconds(layer.real_us)}});
  }
  return {{"inferences", profile.inferences},
          {"ms", profile.Milliseconds(profile.total_us)},
          {"layers", std::move(layers)}};
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDevice(core, arguments));
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
  return {"profile", "MODEL", "says how long each layer takes and what runs it",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
