#include "dovetail/tools/profiling/trace_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dovetail::profiling {
namespace {

using Json = nlohmann::json;

// Times are written in µs with a fraction; two that meet may be off by the last
// digit of a double.
constexpr double kRounding = 1e-6;

enum class Type { kText, kNumber, kInteger, kObject };

struct Field {
  const char* name;
  Type type;
  bool is_needed;
};

// By phase; all have "ph" besides.
const std::map<std::string, std::vector<Field>>& FieldsOfPhases() {
  const Field name = {"name", Type::kText, true};
  const Field category = {"cat", Type::kText, true};
  const Field process = {"pid", Type::kInteger, true};
  const Field thread = {"tid", Type::kInteger, true};
  const Field time = {"ts", Type::kNumber, true};
  const Field arguments = {"args", Type::kObject, false};
  const std::vector<Field> instant = {name,   category, process,
                                      thread, time,     arguments,
                                      {"s", Type::kText, false}};
  static const auto& fields = *new std::map<std::string, std::vector<Field>>{
      {"X",
       {name, category, process, thread, time, arguments,
        {"dur", Type::kNumber, true}}},
      {"B", {name, category, process, thread, time, arguments}},
      {"E",
       {{"name", Type::kText, false}, {"cat", Type::kText, false}, process,
        thread, time, arguments}},
      {"i", instant},
      {"I", instant},
      {"C", {name, process, time, {"args", Type::kObject, true}}},
      {"M",
       {name, process, {"tid", Type::kInteger, false},
        {"ts", Type::kNumber, false}, {"args", Type::kObject, true}}},
  };
  return fields;
}

bool IsOf(Type type, const Json& value) {
  switch (type) {
    case Type::kText:
      return value.is_string();
    case Type::kNumber:
      return value.is_number() && std::isfinite(value.get<double>()) &&
             value.get<double>() >= 0;
    case Type::kInteger:
      return value.is_number_integer();
    case Type::kObject:
      return value.is_object();
  }
  return false;
}

class Checker {
 public:
  std::vector<std::string> Check(const Json& trace) {
    if (!trace.is_object() || !trace.contains("traceEvents") ||
        !trace["traceEvents"].is_array()) {
      return {"want an object with an array \"traceEvents\""};
    }
    for (const auto& [key, value] : trace.items()) {
      const bool is_unit =
          key == "displayTimeUnit" && (value == "ms" || value == "ns");
      if (key != "traceEvents" && !is_unit) {
        problems_.push_back(absl::StrCat("\"", key, "\": ", value.dump()));
      }
    }
    for (const Json& event : trace["traceEvents"]) {
      if (HasRightFields(event)) Sort(event);
    }
    for (auto& [thread, tasks] : tasks_) CheckNesting(thread, tasks);
    for (const auto& [thread, open] : open_) {
      for (const std::string& name : open) {
        Say(absl::StrCat("\"", name, "\" begins and does not end"), thread);
      }
    }
    CheckNames();
    return std::move(problems_);
  }

 private:
  using Thread = std::pair<int64_t, int64_t>;  // pid, tid
  struct Task {
    double begin, end;
    std::string name;
  };

  void Say(const std::string& problem, const Thread& thread) {
    problems_.push_back(absl::StrCat("pid ", thread.first, ", tid ",
                                     thread.second, ": ", problem));
  }

  bool HasRightFields(const Json& event) {
    const size_t before = problems_.size();
    const auto say = [&](const std::string& problem) {
      problems_.push_back(absl::StrCat(event.dump(), ": ", problem));
    };
    if (!event.is_object() || !event.contains("ph") ||
        !event["ph"].is_string()) {
      say("no event with a phase");
      return false;
    }
    const auto phase = FieldsOfPhases().find(event["ph"].get<std::string>());
    if (phase == FieldsOfPhases().end()) {
      say("no phase that is known");
      return false;
    }
    std::set<std::string> known = {"ph"};
    for (const Field& field : phase->second) {
      known.insert(field.name);
      if (!event.contains(field.name)) {
        if (field.is_needed) say(absl::StrCat("no \"", field.name, "\""));
      } else if (!IsOf(field.type, event[field.name])) {
        say(absl::StrCat("\"", field.name, "\" is of another type"));
      }
    }
    for (const auto& [key, value] : event.items()) {
      if (known.count(key) == 0) say(absl::StrCat("\"", key, "\" is unknown"));
    }
    return problems_.size() == before;
  }

  void Sort(const Json& event) {
    const std::string phase = event["ph"];
    const Thread thread = {event["pid"], event.value("tid", int64_t{0})};
    if (phase == "M") return Name(event, thread);
    used_.insert(thread);
    if (phase == "X") {
      const double begin = event["ts"];
      tasks_[thread].push_back(
          {begin, begin + event["dur"].get<double>(), event["name"]});
    } else if (phase == "B") {
      open_[thread].push_back(event["name"]);
    } else if (phase == "E") {
      End(event, thread);
    } else if (phase == "C") {
      for (const auto& [series, value] : event["args"].items()) {
        if (!value.is_number()) {
          Say(absl::StrCat("counter \"", series, "\" is no number"), thread);
        }
      }
    }
  }

  void Name(const Json& event, const Thread& thread) {
    const std::string what = event["name"];
    const Json& arguments = event["args"];
    const bool is_order =
        what == "process_sort_index" || what == "thread_sort_index";
    if (is_order) {
      if (!arguments.value("sort_index", Json()).is_number_integer()) {
        Say(absl::StrCat(what, " without \"sort_index\""), thread);
      }
      return;
    }
    if (what != "process_name" && what != "thread_name") {
      return Say(absl::StrCat("metadata \"", what, "\" is unknown"), thread);
    }
    if (!arguments.value("name", Json()).is_string()) {
      return Say(absl::StrCat(what, " without \"name\""), thread);
    }
    const bool is_new = what == "process_name"
                            ? processes_.insert(thread.first).second
                            : threads_.insert(thread).second;
    if (!is_new) Say(absl::StrCat(what, " is there twice"), thread);
  }

  void End(const Json& event, const Thread& thread) {
    std::vector<std::string>& open = open_[thread];
    if (open.empty()) return Say("an end without a beginning", thread);
    if (event.value("name", open.back()) != open.back()) {
      Say(absl::StrCat("\"", open.back(), "\" ends as ",
                       event["name"].dump()),
          thread);
    }
    open.pop_back();
  }

  // An event that begins within another ends there, too.
  void CheckNesting(const Thread& thread, std::vector<Task>& tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) {
                       return a.begin != b.begin ? a.begin < b.begin
                                                 : a.end > b.end;
                     });
    std::vector<const Task*> around;
    for (const Task& task : tasks) {
      while (!around.empty() && around.back()->end <= task.begin + kRounding) {
        around.pop_back();
      }
      if (!around.empty() && task.end > around.back()->end + kRounding) {
        Say(absl::StrCat("\"", task.name, "\" begins in \"",
                         around.back()->name, "\" and ends after it"),
            thread);
      }
      around.push_back(&task);
    }
  }

  void CheckNames() {
    for (const Thread& thread : used_) {
      if (processes_.count(thread.first) == 0) {
        Say("the process has no name", thread);
      }
      if (threads_.count(thread) == 0) Say("the thread has no name", thread);
    }
  }

  std::vector<std::string> problems_;
  std::map<Thread, std::vector<Task>> tasks_;
  std::map<Thread, std::vector<std::string>> open_;
  std::set<Thread> used_, threads_;
  std::set<int64_t> processes_;
};

}  // namespace

std::vector<std::string> TraceProblems(const Json& trace) {
  return Checker().Check(trace);
}

}  // namespace dovetail::profiling
