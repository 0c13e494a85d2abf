#include "dovetail/tools/cli/output/execution_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/tools/cli/output/text_file.h"

namespace dovetail::cli {
namespace {

// Keys of rt_info; see core/plugin/execution_info.h. The name comes before
// them.
constexpr absl::string_view kColumns[] = {
    "execOrder",           "layerType",        "primitiveType",
    "runtimePrecision",    "outputPrecisions", "outputLayouts",
    "executionDevice",     "execTimeMcs",      "fusedInto",
    "originalLayersNames", "declinedKernels"};

std::string Says(const Node& node, absl::string_view key) {
  const std::string* const text = node.rt_info().Find({key});
  return text == nullptr ? "" : *text;
}

int64_t OrderOf(const Node& node) {
  int64_t order = 0;
  return absl::SimpleAtoi(Says(node, "execOrder"), &order) ? order : 0;
}

// Names of layers may hold anything.
std::string Cell(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\t", " "}, {"\n", " "}, {"\r", " "}});
}

}  // namespace

void AddExecutionTimes(const LayerTimes& times, Model& described) {
  for (const auto& node : described.nodes()) {
    // Its time is part of another's.
    if (!Says(*node, "fusedInto").empty()) continue;
    const auto it = times.find(node->name());
    node->rt_info().Set({"execTimeMcs"}, it == times.end()
                                             ? "not_executed"
                                             : absl::StrCat(it->second / 1000));
  }
}

std::string ExecutionTable(const Model& described) {
  std::vector<const Node*> nodes;
  for (const auto& node : described.nodes()) nodes.push_back(node.get());
  std::stable_sort(
      nodes.begin(), nodes.end(),
      [](const Node* a, const Node* b) { return OrderOf(*a) < OrderOf(*b); });
  std::string table = "name";
  for (const absl::string_view column : kColumns) {
    absl::StrAppend(&table, "\t", column);
  }
  table += "\n";
  for (const Node* node : nodes) {
    table += Cell(node->name());
    for (const absl::string_view column : kColumns) {
      absl::StrAppend(&table, "\t", Cell(Says(*node, column)));
    }
    table += "\n";
  }
  return table;
}

absl::Status WriteExecution(const Model& described, const std::string& path) {
  if (absl::EndsWith(path, ".xml")) return WriteIr(described, path);
  return WriteText(ExecutionTable(described), path);
}

}  // namespace dovetail::cli
