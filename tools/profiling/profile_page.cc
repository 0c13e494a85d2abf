#include "dovetail/tools/profiling/profile_page.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "dovetail/tools/pages/page.h"
#include "dovetail/tools/pages/texts.h"
#include "dovetail/tools/profiling/chrome_trace.h"
#include "dovetail/tools/profiling/execution_graph.h"
#include "dovetail/tools/profiling/memory_plan.h"

namespace dovetail::profiling {
namespace {

using Json = nlohmann::ordered_json;

Json LayersData(const Profile& profile) {
  Json layers = Json::array();
  for (const TimedPart& layer : profile.layers()) {
    layers.push_back({{"name", layer.record.name},
                      {"type", layer.record.type},
                      {"kernel", layer.record.kernel},
                      {"ms", profile.Milliseconds(layer.ns)}});
  }
  return layers;
}

Json TypesData(const Profile& profile) {
  Json types = Json::array();
  for (const auto& [type, ns] : profile.ByType()) {
    types.push_back({{"name", type}, {"ms", profile.Milliseconds(ns)}});
  }
  return types;
}

Json StagesData(const Profile& profile) {
  Json stages = Json::array();
  for (const TimedPart& stage : profile.stages()) {
    stages.push_back({{"name", stage.record.name},
                      {"ms", profile.Milliseconds(stage.ns)},
                      {"counter", CounterOfStage(stage.record.name)}});
  }
  return stages;
}

// Spans as arrays: name, start and duration in µs, type, kernel.
Json RowsData(const std::vector<Row>& rows) {
  int64_t origin_ns = std::numeric_limits<int64_t>::max();
  for (const Row& row : rows) {
    origin_ns = std::min(origin_ns, row.spans.front().start_ns);
  }
  Json data = Json::array();
  for (const Row& row : rows) {
    Json spans = Json::array();
    for (const Span& span : row.spans) {
      const bool is_layer = span.category == "layer";
      spans.push_back({span.name,
                       static_cast<double>(span.start_ns - origin_ns) / 1e3,
                       static_cast<double>(span.duration_ns) / 1e3,
                       is_layer ? span.record->type : "",
                       is_layer ? span.record->kernel : ""});
    }
    data.push_back({{"process", row.process},
                    {"name", row.name},
                    {"spans", std::move(spans)}});
  }
  return data;
}

Json GraphData(const std::vector<ExecutedNode>& nodes, const Profile& profile) {
  std::map<std::string, int64_t> times;
  for (const TimedPart& layer : profile.layers()) {
    times[layer.record.name] += layer.ns;
  }
  Json graph = Json::array();
  for (const ExecutedNode& node : nodes) {
    const auto time = times.find(node.node->name());
    const bool is_timed = time != times.end() && node.into.empty();
    graph.push_back({{"name", node.node->name()},
                     {"type", std::string(node.node->op().type)},
                     {"kernel", node.kernel},
                     {"precision", node.precision},
                     {"layouts", node.layouts},
                     {"into", node.into},
                     {"ms", is_timed ? profile.Milliseconds(time->second) : 0},
                     {"inputs", node.inputs}});
  }
  return graph;
}

Json MemoryData(const std::vector<ExecutedNode>& nodes) {
  Json memory = Json::array();
  for (const LiveTensor& tensor : LiveTensors(nodes)) {
    memory.push_back({{"name", tensor.name},
                      {"type", tensor.type},
                      {"bytes", tensor.bytes},
                      {"first", tensor.first},
                      {"last", tensor.last}});
  }
  return memory;
}

}  // namespace

Json ProfileData(const std::string& title, const Facts& facts,
                 const Profile& profile, const std::string& device) {
  return {
      {"title", title},
      {"facts", facts},
      {"inferences", profile.inferences()},
      {"ms", profile.Milliseconds(profile.layers_ns())},
      {"layers", LayersData(profile)},
      {"types", TypesData(profile)},
      {"stages", StagesData(profile)},
      {"rows", RowsData(RowsOf(profile.kept(), device))},
      {"graph", Json::array()},
      {"memory", Json::array()},
      {"places", nullptr},
  };
}

std::string ProfilePage(const std::string& title, const Facts& facts,
                        const Profile& profile, const std::string& device,
                        const Model* described, absl::string_view memory_plan) {
  Json data = ProfileData(title, facts, profile, device);
  if (described != nullptr) {
    const std::vector<ExecutedNode> nodes = ExecutedNodes(*described);
    data["graph"] = GraphData(nodes, profile);
    data["memory"] = MemoryData(nodes);
  }
  data["places"] = MemoryPlanData(memory_plan);
  return pages::Page(title, data, pages::kProfileScript);
}

}  // namespace dovetail::profiling
