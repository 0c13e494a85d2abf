// dovetail conformance: a set of cases against their expected outputs.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/input/exported_model.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/cases/device_exceptions.h"
#include "dovetail/tools/conformance/junit.h"
#include "dovetail/tools/conformance/runner.h"

namespace dovetail::cli {
namespace {

using conformance::Case;
using conformance::Outcome;

// Prints failures and what was skipped as they come, and how far it is on
// stderr from time to time.
class Reporter {
 public:
  Reporter(const std::vector<Case>& cases, bool list_all, std::ostream& out)
      : cases_(cases),
        list_all_(list_all),
        out_(out),
        last_(std::chrono::steady_clock::now()) {}

  void Finished(int i, const Outcome& outcome) {
    ++counts_[outcome.kind];
    if (!outcome.bounds.empty()) ++bounds_[outcome.bounds];
    ++done_;
    if (outcome.kind == Outcome::Kind::kFailed) {
      PrintLine("FAILED", i, outcome, counts_[outcome.kind]);
    } else if (outcome.kind == Outcome::Kind::kSkipped) {
      PrintLine("SKIPPED", i, outcome, counts_[outcome.kind]);
    }
    constexpr auto kInterval = std::chrono::seconds(10);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kInterval) return;
    last_ = now;
    std::cerr << done_ << " of " << cases_.size() << " cases done\n";
  }

  void Summarize(bool json) {
    if (json) {
      out_
          << nlohmann::ordered_json{{"passed", counts_[Outcome::Kind::kPassed]},
                                    {"failed", counts_[Outcome::Kind::kFailed]},
                                    {"skipped",
                                     counts_[Outcome::Kind::kSkipped]},
                                    {"bounds", bounds_}}
                 .dump()
          << "\n";
      return;
    }
    out_ << "held to the bounds of "
         << absl::StrJoin(bounds_, ", ",
                          [](std::string* text, const auto& bounds) {
                            absl::StrAppend(text, bounds.first, " (",
                                            bounds.second, ")");
                          })
         << "\n";
    out_ << counts_[Outcome::Kind::kPassed] << " passed, "
         << counts_[Outcome::Kind::kFailed] << " failed, "
         << counts_[Outcome::Kind::kSkipped] << " skipped\n";
  }

  int failed() { return counts_[Outcome::Kind::kFailed]; }

 private:
  // So many lines of a kind unless all are asked for.
  static constexpr int kMaxLines = 40;

  void PrintLine(absl::string_view what, int i, const Outcome& outcome,
                 int count) {
    if (list_all_ || count <= kMaxLines) {
      out_ << what << " " << cases_[i].name << ": " << outcome.message << "\n";
    } else if (count == kMaxLines + 1) {
      out_ << what << " …: --list-failures shows the rest\n";
    }
    out_ << std::flush;
  }

  const std::vector<Case>& cases_;
  const bool list_all_;
  std::ostream& out_;
  std::chrono::steady_clock::time_point last_;
  std::map<Outcome::Kind, int> counts_;
  std::map<std::string, int> bounds_;  // how many cases were held to which
  size_t done_ = 0;
};

absl::Status WriteJunit(const std::string& path, const std::string& suite,
                        const std::vector<Case>& cases,
                        const std::vector<Outcome>& outcomes) {
  std::ofstream file(path);
  file << conformance::FormatJunit(suite, cases, outcomes);
  file.close();
  if (!file) return Unavailable("cannot write ", path);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Case>> ChooseCases(const Arguments& arguments,
                                              const std::string& directory) {
  DOVETAIL_RETURN_IF_ERROR(CheckIsSource(directory));
  DOVETAIL_ASSIGN_OR_RETURN(
      std::vector<Case> cases,
      conformance::ReadCaseIndex(directory, arguments.Get("models"),
                                 arguments.Get("filter", "*")));
  for (const Case& test_case : cases) {
    DOVETAIL_RETURN_IF_ERROR(CheckIsSource(test_case.model_path));
  }
  if (cases.empty()) {
    return NotFound("no case in ", directory,
                    " matches --filter=", arguments.Get("filter", "*"));
  }
  return cases;
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string directory,
                            OnlyOperand(arguments, "folder of cases"));
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Case> cases,
                            ChooseCases(arguments, directory));
  DOVETAIL_ASSIGN_OR_RETURN(PropertyMap properties,
                            ChooseProperties(arguments));
  conformance::RunnerOptions options;
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t jobs,
                            arguments.GetInt("jobs", UsableCpus(), 1, 256));
  options.workers = static_cast<int>(jobs);
  DOVETAIL_ASSIGN_OR_RETURN(options.limit_seconds,
                            arguments.GetDouble("timeout", 600, 0.1, 86400));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t requests,
                            arguments.GetInt("requests", 1, 1, 1024));
  std::string device;
  {
    // Checked before workers start; gone by then with its threads.
    Core core;
    DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
    DOVETAIL_ASSIGN_OR_RETURN(device, ChooseDevice(core, arguments));
    DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema schema,
                              core.Properties(device));
    // Cases run beside each other, so each has one thread.
    constexpr absl::string_view kThreads = "INFERENCE_NUM_THREADS";
    if (schema.Has(kThreads)) {
      properties.emplace(std::string(kThreads), "1");
    }
    // The reference device sums in the order of what is expected.
    if (device != "REFERENCE") conformance::AllowRoundings(cases);
  }
  conformance::DeviceExceptions exceptions;
  if (arguments.Has("exceptions")) {
    DOVETAIL_ASSIGN_OR_RETURN(exceptions, conformance::ReadDeviceExceptions(
                                              arguments.Get("exceptions")));
  }
  Reporter reporter(cases, arguments.Has("list-failures"), out);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Outcome> outcomes,
      conformance::RunCases(
          static_cast<int>(cases.size()),
          [&](int i) {
            Core core;
            // They are loaded; what a plugins.xml sets is set in each Core.
            LoadPlugins(core, arguments).IgnoreError();
            return conformance::RunCase(cases[i], core, device, properties,
                                        exceptions, static_cast<int>(requests));
          },
          options, [&](int i, const Outcome& o) { reporter.Finished(i, o); }));
  if (arguments.Has("junit")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteJunit(arguments.Get("junit"), directory, cases, outcomes));
  }
  reporter.Summarize(json);
  return reporter.failed() == 0 ? kDone : kNo;
}

}  // namespace

Command ConformanceCommand() {
  return {"conformance",
          "DIR",
          "runs a set of cases and compares with the expected outputs",
          {{"device", "NAME", "the device to test (default: as for run)"},
           {"config", "KEY=VALUE", "any property of the device", true},
           {"threads", "N", "threads of one case (default: 1)"},
           {"streams", "N", "short for --config=NUM_STREAMS=N"},
           {"precision", "f32|bf16|f16|default",
            "short for --config=INFERENCE_PRECISION_HINT=…"},
           kPluginFlag,
           kExtensionFlag,
           {"exceptions", "FILE",
            "bounds and expected failures of the device: its conformance.txt"},
           {"models", "ROOT", "where the paths of a column `model` begin"},
           {"filter", "GLOB", "only cases whose names match, with * and ?"},
           {"jobs", "N", "cases at the same time (default: one a core)"},
           {"requests", "N",
            "requests of a case at the same time, all compared (default: 1)"},
           {"timeout", "S", "seconds that one case may take (default: 600)"},
           {"list-failures", "",
            "lists every failed and skipped case, not only the first"},
           {"junit", "FILE", "writes the outcomes as JUnit XML"},
           kFormatFlag},
          &Run};
}

}  // namespace dovetail::cli
