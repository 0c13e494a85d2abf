// dovetail query: which layer runs where, and why not.
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/dot.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/parts_picture.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"
#include "dovetail/tools/pages/graph_svg.h"

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

constexpr char kNowhere[] = "#e8746a", kStructure[] = "#f4f4f4";

// The colour of each device and way, in the order in which they come.
class Colours {
 public:
  std::string Of(const QueryResult::Layer& layer) {
    if (layer.device.empty()) return Colour("nowhere", kNowhere);
    static constexpr const char* kFills[] = {"#9fc5e8", "#b6d7a8", "#ffe599",
                                             "#d5a6bd", "#c9c0e3", "#f6b26b"};
    return Colour(absl::StrCat(layer.device, ", ", layer.how),
                  kFills[legend_.size() % std::size(kFills)]);
  }
  const std::vector<std::pair<std::string, std::string>>& legend() const {
    return legend_;
  }

 private:
  std::string Colour(const std::string& text, const char* fill) {
    for (const auto& [known, colour] : legend_) {
      if (known == text) return colour;
    }
    legend_.emplace_back(text, fill);
    return fill;
  }
  std::vector<std::pair<std::string, std::string>> legend_;
};

pages::Box BoxOf(const Node& node, const QueryResult& result,
                 Colours& colours) {
  pages::Box box = {
      std::string(node.op().type), node.name(), node.name(), kStructure, {}};
  const QueryResult::Layer* const layer = result.Find(node.name());
  if (node.op().Has(kStructural) || layer == nullptr) return box;
  box.fill = colours.Of(*layer);
  absl::StrAppend(&box.tip, "\n", layer->type, "\n",
                  layer->device.empty()
                      ? std::string(layer->reason.message())
                      : absl::StrCat(layer->device, ", ", layer->how));
  return box;
}

// The graph without its constants.
absl::StatusOr<std::string> Picture(const Model& model,
                                    const QueryResult& result) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  Colours colours;
  std::vector<pages::Box> boxes;
  std::unordered_map<const Node*, int> indices;
  for (const Node* node : order) {
    if (node->As<ConstantAttributes>() != nullptr) continue;
    pages::Box box = BoxOf(*node, result, colours);
    for (const Value& input : node->inputs()) {
      const auto from = indices.find(input.node);
      if (from != indices.end()) box.inputs.push_back(from->second);
    }
    indices[node] = static_cast<int>(boxes.size());
    boxes.push_back(std::move(box));
  }
  return pages::GraphSvg(boxes, colours.legend());
}

bool IsCut(const QueryResult& result) {
  return absl::c_any_of(result.layers,
                        [](const auto& layer) { return layer.part >= 0; });
}

absl::StatusOr<std::string> Drawn(const Model& model,
                                  const QueryResult& result) {
  if (IsCut(result)) return PartsSvg(model, result);
  return Picture(model, result);
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
        ModelDot(*model, PartsOf(*model, result)), arguments.Get("dot")));
  }
  if (arguments.Has("svg")) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string picture, Drawn(*model, result));
    DOVETAIL_RETURN_IF_ERROR(WriteText(picture, arguments.Get("svg")));
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
                "draws the parts into which a device cuts the model, else "
                "its layers, coloured by where they run"}}),
          &Run};
}

}  // namespace dovetail::cli
