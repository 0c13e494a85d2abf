// dovetail query: which layer runs where, and why not.
#include <nlohmann/json.hpp>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/dot.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/parts_picture.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/text_file.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const QueryResult& result) {
  Json layers = Json::array();
  for (const QueryResult::Layer& layer : result.layers) {
    Json entry = {{"name", layer.name},
                  {"type", layer.type},
                  {"device", layer.device},
                  {"how", layer.how}};
    if (layer.part >= 0) entry["part"] = layer.part;
    if (!layer.reason.ok()) {
      entry["reason"] = std::string(layer.reason.message());
    }
    layers.push_back(std::move(entry));
  }
  Json json = {{"supported", result.all_supported()}, {"layers", layers}};
  if (!result.notes.empty()) json["notes"] = result.notes;
  return json;
}

void Print(const QueryResult& result, std::ostream& out) {
  size_t type_width = 0, name_width = 0, device_width = 0, unsupported = 0;
  for (const QueryResult::Layer& layer : result.layers) {
    type_width = std::max(type_width, layer.type.size());
    name_width = std::max(name_width, layer.name.size());
    device_width = std::max(device_width, layer.device.size());
    unsupported += layer.device.empty() ? 1 : 0;
  }
  for (const QueryResult::Layer& layer : result.layers) {
    out << layer.type << std::string(type_width - layer.type.size() + 2, ' ')
        << layer.name << std::string(name_width - layer.name.size() + 2, ' ');
    if (!layer.device.empty()) {
      out << layer.device
          << std::string(device_width - layer.device.size() + 2, ' ')
          << layer.how << "\n";
    } else {
      out << "nowhere: " << layer.reason.message() << "\n";
    }
  }
  for (const std::string& note : result.notes) out << note << "\n";
  out << result.layers.size() - unsupported << " of " << result.layers.size()
      << " layers can run\n";
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDevice(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                            ChooseProperties(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const QueryResult result,
                            core.Query(*model, device, properties));
  if (arguments.Has("dot")) {
    DOVETAIL_RETURN_IF_ERROR(WriteText(
        arguments.Get("dot"), ModelDot(*model, PartsOf(*model, result))));
  }
  if (arguments.Has("svg")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteText(PartsSvg(*model, result), arguments.Get("svg")));
  }
  if (json) {
    out << ToJson(result).dump(-1, ' ', false, Json::error_handler_t::replace)
        << "\n";
  } else {
    Print(result, out);
  }
  return result.all_supported() ? kDone : kNo;
}

}  // namespace

Command QueryCommand() {
  return {"query", "MODEL",
          "says which operation runs where and how, and why one does not",
          WithModelFlags(
              {{"dot", "FILE", "writes the graph with its parts for Graphviz"},
               {"svg", "FILE",
                "draws the parts into which the device cuts the model"}}),
          &Run};
}

}  // namespace dovetail::cli
