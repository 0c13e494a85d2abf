// dovetail inspect: what a model is made of.
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/dot.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/analysis/model_statistics.h"
#include "dovetail/tools/cli/input/exported_model.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/execution_table.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Port {
  std::string name;
  ElementType type;
  PartialShape shape;
};

std::vector<Port> Inputs(const Model& model) {
  std::vector<Port> ports;
  for (size_t i = 0; i < model.parameters().size(); ++i) {
    const OutputPort& port = model.parameters()[i]->port();
    ports.push_back(
        {model.InputName(static_cast<int>(i)), port.type, port.shape});
  }
  return ports;
}

std::vector<Port> Outputs(const Model& model) {
  std::vector<Port> ports;
  for (size_t i = 0; i < model.results().size(); ++i) {
    const Value value = model.results()[i]->input(0);
    ports.push_back(
        {model.OutputName(static_cast<int>(i)), value.type(), value.shape()});
  }
  return ports;
}

Json ToJson(const std::vector<Port>& ports) {
  Json list = Json::array();
  for (const Port& port : ports) {
    list.push_back({{"name", port.name},
                    {"type", std::string(ElementTypeName(port.type))},
                    {"shape", port.shape.ToString()}});
  }
  return list;
}

Json ToJson(const Model& model, const ModelStatistics& statistics) {
  Json operations = Json::object();
  for (const auto& [name, count] : statistics.operations) {
    operations[name] = count;
  }
  Json result = {{"name", model.name()},
                 {"inputs", ToJson(Inputs(model))},
                 {"outputs", ToJson(Outputs(model))},
                 {"operations", operations},
                 {"parameters", statistics.parameters},
                 {"constant_bytes", statistics.constant_bytes}};
  result["macs"] = statistics.macs ? Json(*statistics.macs) : Json();
  result["peak_bytes"] =
      statistics.peak_bytes ? Json(*statistics.peak_bytes) : Json();
  return result;
}

void PrintPorts(absl::string_view what, const std::vector<Port>& ports,
                std::ostream& out) {
  for (const Port& port : ports) {
    out << what << port.name << "  " << ElementTypeName(port.type) << port.shape
        << "\n";
  }
}

void Print(const Model& model, const ModelStatistics& statistics,
           std::ostream& out) {
  out << "model       " << model.name() << "\n";
  PrintPorts("input       ", Inputs(model), out);
  PrintPorts("output      ", Outputs(model), out);
  out << "parameters  " << statistics.parameters << " ("
      << absl::StreamFormat(
             "%.2f MB", static_cast<double>(statistics.constant_bytes) / 1e6)
      << ")\n";
  out << "MACs        ";
  if (statistics.macs) {
    out << absl::StreamFormat("%.2f M\n",
                              static_cast<double>(*statistics.macs) / 1e6);
  } else {
    out << "depend on the inputs' shapes\n";
  }
  out << "memory      ";
  if (statistics.peak_bytes) {
    out << absl::StreamFormat(
        "%.2f MB of intermediate tensors\n",
        static_cast<double>(*statistics.peak_bytes) / 1e6);
  } else {
    out << "depends on the inputs' shapes\n";
  }
  out << "operations\n";
  for (const auto& [name, count] : statistics.operations) {
    out << absl::StreamFormat("  %6d  %s\n", count, name);
  }
}

absl::Status Inspect(const Model& model, const Arguments& arguments, bool json,
                     std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const ModelStatistics statistics,
                            CollectStatistics(model));
  if (arguments.Has("dot")) {
    DOVETAIL_RETURN_IF_ERROR(WriteText(ModelDot(model), arguments.Get("dot")));
  }
  if (json) {
    out << ToJson(model, statistics)
               .dump(-1, ' ', false, Json::error_handler_t::replace)
        << "\n";
    return absl::OkStatus();
  }
  if (arguments.Has("graph")) out << model.ToString();
  Print(model, statistics, out);
  return absl::OkStatus();
}

// The model as it runs on a device when --device or --execution asks for that,
// or when it has been exported for one.
absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  if (!arguments.Has("device") && !arguments.Has("execution") &&
      !IsExportedModel(path)) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                              LoadModel(core, arguments, path));
    DOVETAIL_RETURN_IF_ERROR(Inspect(*model, arguments, json, out));
    return kDone;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDeviceOf(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                            ChooseProperties(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel compiled,
      CompileOrImport(core, arguments, path, device, properties));
  if (compiled.runtime_model() == nullptr) {
    return Unimplemented("device ", device,
                         " does not show the graph that it runs");
  }
  if (arguments.Has("execution")) {
    DOVETAIL_RETURN_IF_ERROR(WriteExecution(*compiled.DescribeExecution(),
                                            arguments.Get("execution")));
  }
  DOVETAIL_RETURN_IF_ERROR(
      Inspect(*compiled.runtime_model(), arguments, json, out));
  return kDone;
}

}  // namespace

Command InspectCommand() {
  return {"inspect", "MODEL",
          "shows inputs, outputs, operations, parameters, MACs and memory",
          WithModelFlags(
              {{"dot", "FILE", "writes the graph for Graphviz"},
               {"execution", "FILE",
                "writes how --device runs each layer: kernel, precision, "
                "layouts; a table, or an IR where FILE ends in .xml"},
               {"graph", "", "prints the graph, one line a node"}}),
          &Run};
}

}  // namespace dovetail::cli
