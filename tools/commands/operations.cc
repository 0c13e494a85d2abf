// dovetail operations: the operations that there are, and who runs them.
#include <nlohmann/json.hpp>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/analysis/operation_table.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

// What each device that is there, or the only one asked for, has kernels for.
absl::StatusOr<std::vector<DeviceOperations>> AskDevices(
    const Core& core, const std::string& only) {
  std::vector<std::string> names = core.AvailableDevices();
  if (!only.empty()) names = {only};
  std::vector<DeviceOperations> devices;
  for (const std::string& name : names) {
    DOVETAIL_ASSIGN_OR_RETURN(std::string natives,
                              core.GetProperty(name, "NATIVE_OPERATIONS"));
    DOVETAIL_ASSIGN_OR_RETURN(std::string reference,
                              core.GetProperty(name, "REFERENCE_OPERATIONS"));
    DOVETAIL_ASSIGN_OR_RETURN(std::string decomposed,
                              core.GetProperty(name, "DECOMPOSED_OPERATIONS"));
    devices.push_back({name, std::move(natives), std::move(reference),
                       std::move(decomposed)});
  }
  return devices;
}

Json DescribeRow(const OperationTable& table, const OperationTable::Row& row) {
  const OpInfo& op = *row.op;
  Json opsets = Json::array(), types = Json::array(), devices = Json::array();
  Json how = Json::object();
  for (int opset = 1; opset <= OpsetRange::kLatest; ++opset) {
    if (op.opsets.Contains(opset)) opsets.push_back(opset);
  }
  for (ElementType type : op.types.allowed.types()) {
    types.push_back(std::string(ElementTypeName(type)));
  }
  for (size_t i = 0; i < table.devices.size(); ++i) {
    if (row.how[i].empty()) continue;
    devices.push_back(table.devices[i]);
    how[table.devices[i]] = row.how[i];
  }
  return {{"type", std::string(op.type)},
          {"version", op.version},
          {"ir_type", std::string(op.ir_type)},
          {"opsets", opsets},
          {"element_types", types},
          {"devices", devices},
          {"how", how}};
}

std::string JsonOf(const OperationTable& table, const Core& core) {
  Json rows = Json::array(), own = Json::object();
  for (const OperationTable::Row& row : table.rows) {
    rows.push_back(DescribeRow(table, row));
  }
  for (const ExtensionInfo& info : core.Extensions()) {
    own[info.name] = info.operations;
  }
  return Json{{"operations", rows}, {"extensions", own}}.dump() + "\n";
}

// With --device, only what it runs.
void KeepThoseItRuns(OperationTable& table) {
  std::vector<OperationTable::Row> kept;
  for (OperationTable::Row& row : table.rows) {
    if (!row.how.empty() && !row.how[0].empty()) kept.push_back(std::move(row));
  }
  table.rows = std::move(kept);
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  if (!arguments.positional().empty()) {
    return InvalidArgument("operations takes no operand, got '",
                           arguments.positional()[0], "'");
  }
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  const std::string device = arguments.Get("device");
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<DeviceOperations> devices,
                            AskDevices(core, device));
  OperationTable table = MakeOperationTable(AllOps(), devices);
  if (!device.empty()) KeepThoseItRuns(table);
  const std::string format = arguments.Get("format", "text");
  if (format == "json") {
    out << JsonOf(table, core);
  } else if (format == "markdown") {
    out << MarkdownOf(table,
                      "bazel run //tools:dovetail -- operations "
                      "--format=markdown > docs/operations.md");
  } else if (format == "text") {
    out << TextOf(table) << ExtensionsText(core);
  } else {
    return InvalidArgument("--format=", format,
                           ": want text, json or markdown");
  }
  return kDone;
}

}  // namespace

Command OperationsCommand() {
  return {"operations",
          "",
          "lists the operations and which devices run them",
          {{"device", "NAME", "only what this device has kernels for"},
           kPluginFlag,
           kExtensionFlag,
           {"format", "text|json|markdown", "text for people (default)"}},
          &Run};
}

}  // namespace dovetail::cli
