#include "dovetail/tools/profiling/chrome_trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace dovetail::profiling {
namespace {

using Json = nlohmann::ordered_json;

// What belongs into one lane, before it is known which spans overlap.
struct Lane {
  std::string process, name;
  std::vector<Span> spans;
};

Lane& LaneOf(std::vector<Lane>& lanes, const std::string& process,
             const std::string& name) {
  for (Lane& lane : lanes) {
    if (lane.process == process && lane.name == name) return lane;
  }
  return lanes.emplace_back(Lane{process, name, {}});
}

void AddRecord(const ProfilingRecord& record, const std::string& device,
               std::vector<Lane>& lanes) {
  if (record.status != ProfilingRecord::Status::kExecuted) return;
  if (record.start_ns == 0) return;
  const bool is_stage = record.kind == ProfilingRecord::Kind::kStage;
  const std::string& of = record.device.empty() ? device : record.device;
  const std::string names = !record.lane.empty() ? record.lane
                            : is_stage           ? "stages"
                                                 : "layers";
  for (const absl::string_view name : absl::StrSplit(names, ", ")) {
    LaneOf(lanes, is_stage ? "host" : of, std::string(name))
        .spans.push_back({record.name, is_stage ? "stage" : "layer",
                          record.start_ns, record.duration_ns, &record});
  }
}

// "SHAVE 9" as "SHAVE " and 9, so that it comes before "SHAVE 10".
std::pair<absl::string_view, int64_t> NameAndNumber(absl::string_view name) {
  const size_t end = name.find_last_not_of("0123456789") + 1;
  int64_t number = -1;
  if (!absl::SimpleAtoi(name.substr(end), &number)) return {name, -1};
  return {name.substr(0, end), number};
}

// The host before devices, which stay as they came, and so do lanes of the
// host; those of a device by their names.
void Sort(std::vector<Lane>& lanes) {
  std::vector<std::string> processes = {"host"};
  for (const Lane& lane : lanes) {
    if (!absl::c_linear_search(processes, lane.process)) {
      processes.push_back(lane.process);
    }
  }
  const auto key = [&](const Lane& lane) {
    const auto process = absl::c_find(processes, lane.process);
    return std::pair(
        process - processes.begin(),
        lane.process == "host" ? NameAndNumber("") : NameAndNumber(lane.name));
  };
  std::stable_sort(
      lanes.begin(), lanes.end(),
      [&](const Lane& a, const Lane& b) { return key(a) < key(b); });
}

// Puts each span into the first row that is free by then.
void SpreadOverRows(Lane lane, std::vector<Row>& rows) {
  std::stable_sort(
      lane.spans.begin(), lane.spans.end(),
      [](const Span& a, const Span& b) { return a.start_ns < b.start_ns; });
  const size_t first = rows.size();
  for (Span& span : lane.spans) {
    size_t i = first;
    while (i < rows.size() &&
           rows[i].spans.back().start_ns + rows[i].spans.back().duration_ns >
               span.start_ns) {
      ++i;
    }
    if (i == rows.size()) {
      rows.push_back({lane.process,
                      i == first
                          ? lane.name
                          : absl::StrCat(lane.name, " (", i - first + 1, ")"),
                      {}});
    }
    rows[i].spans.push_back(std::move(span));
  }
}

Json Metadata(const char* what, int pid, int tid, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", pid},
          {"tid", tid},   {"ts", 0},   {"args", {{"name", name}}}};
}

Json ArgumentsOf(const ProfilingRecord& record) {
  Json arguments = {{"type", record.type},
                    {"kernel", record.kernel},
                    {"cpu_us", static_cast<double>(record.cpu_ns) / 1e3}};
  for (const auto& [counter, value] : record.counters) {
    arguments[counter] = value;
  }
  return arguments;
}

Json EventOf(const Span& span, int64_t origin_ns, int pid, int tid) {
  return {{"name", span.name},
          {"cat", span.category},
          {"ph", "X"},
          {"pid", pid},
          {"tid", tid},
          {"ts", static_cast<double>(span.start_ns - origin_ns) / 1e3},
          {"dur", static_cast<double>(span.duration_ns) / 1e3},
          {"args", span.record == nullptr ? Json::object()
                                          : ArgumentsOf(*span.record)}};
}

// A device's own clock may have begun a little before.
int64_t EarliestNs(const std::vector<Row>& rows) {
  int64_t earliest = 0;
  bool is_first = true;
  for (const Row& row : rows) {
    for (const Span& span : row.spans) {
      if (is_first || span.start_ns < earliest) earliest = span.start_ns;
      is_first = false;
    }
  }
  return earliest;
}

}  // namespace

std::vector<Row> RowsOf(const std::deque<Inference>& inferences,
                        const std::string& device) {
  std::vector<Lane> lanes;
  for (const Inference& inference : inferences) {
    LaneOf(lanes, "host", "inferences")
        .spans.push_back({"inference", "inference", inference.start_ns,
                          inference.duration_ns, nullptr});
    for (const auto* records : {&inference.records, &inference.hidden}) {
      for (const ProfilingRecord& record : *records) {
        AddRecord(record, device, lanes);
      }
    }
  }
  Sort(lanes);
  std::vector<Row> rows;
  for (Lane& lane : lanes) SpreadOverRows(std::move(lane), rows);
  return rows;
}

std::string ChromeTrace(const std::deque<Inference>& inferences,
                        const std::string& device) {
  const std::vector<Row> rows = RowsOf(inferences, device);
  const int64_t origin_ns = EarliestNs(rows);
  std::map<std::string, int> processes;
  Json events = Json::array();
  int tid = 0;
  for (const Row& row : rows) {
    const auto [process, is_new] =
        processes.emplace(row.process, static_cast<int>(processes.size()) + 1);
    const int pid = process->second;
    if (is_new) events.push_back(Metadata("process_name", pid, 0, row.process));
    events.push_back(Metadata("thread_name", pid, ++tid, row.name));
    for (const Span& span : row.spans) {
      events.push_back(EventOf(span, origin_ns, pid, tid));
    }
  }
  const Json trace = {{"traceEvents", std::move(events)},
                      {"displayTimeUnit", "ms"}};
  return trace.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail::profiling
