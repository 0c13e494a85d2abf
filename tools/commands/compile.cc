// dovetail compile: a model as a file that the other commands load without
// compiling it again.
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsBetween(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

struct Export {
  std::string file;
  std::string device;
  uintmax_t bytes = 0;
  double compile_ms = 0;  // reading the model and compiling it
  double export_ms = 0;   // writing the file
};

// --output, which is not to take the place of what is compiled.
absl::StatusOr<std::string> ChooseOutput(const Arguments& arguments,
                                         const std::string& model) {
  const std::string file = arguments.Get("output");
  if (file.empty()) {
    return InvalidArgument("no -o FILE, where the compiled model goes");
  }
  const std::string beside =
      std::filesystem::path(model).replace_extension(".bin").string();
  for (const std::string& source : {model, beside, arguments.Get("weights")}) {
    std::error_code error;
    if (!std::filesystem::equivalent(source, file, error)) continue;
    return InvalidArgument("-o ", file, " would replace ", source,
                           ", which is what is compiled");
  }
  return file;
}

absl::StatusOr<Export> CompileTo(const Core& core, const Arguments& arguments,
                                 const std::string& path, Export target) {
  DOVETAIL_ASSIGN_OR_RETURN(PropertyMap properties,
                            ChooseProperties(arguments));
  if (arguments.Has("tune")) properties["CPU_TUNE"] = "YES";
  const Clock::time_point start = Clock::now();
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            core.Compile(*model, target.device, properties));
  const Clock::time_point compiled_at = Clock::now();
  const absl::Status exported = compiled.Export(target.file);
  // Of that, as of no other error, the message does not say where.
  if (absl::IsUnimplemented(exported)) {
    return Annotate(exported, absl::StrCat("device ", target.device));
  }
  DOVETAIL_RETURN_IF_ERROR(exported);
  target.compile_ms = MillisecondsBetween(start, compiled_at);
  target.export_ms = MillisecondsBetween(compiled_at, Clock::now());
  std::error_code error;
  target.bytes = std::filesystem::file_size(target.file, error);
  if (error) {
    return Unavailable("cannot find ", target.file,
                       " again: ", error.message());
  }
  return target;
}

void Print(const Export& written, std::ostream& out) {
  out << absl::StreamFormat(
      "%s  %.3f MB  for %s  compiled in %.1f ms, written in %.1f ms\n",
      written.file, static_cast<double>(written.bytes) / 1e6, written.device,
      written.compile_ms, written.export_ms);
}

nlohmann::ordered_json ToJson(const Export& written) {
  return {{"file", written.file},
          {"bytes", written.bytes},
          {"device", written.device},
          {"compile_ms", written.compile_ms},
          {"export_ms", written.export_ms}};
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Export target;
  DOVETAIL_ASSIGN_OR_RETURN(target.file, ChooseOutput(arguments, path));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(target.device, ChooseDevice(core, arguments));
  // Loads the device, so that compile_ms is the model's alone.
  DOVETAIL_RETURN_IF_ERROR(core.Properties(target.device).status());
  DOVETAIL_ASSIGN_OR_RETURN(const Export written,
                            CompileTo(core, arguments, path, target));
  if (json) {
    out << ToJson(written).dump(
               -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
        << "\n";
  } else {
    Print(written, out);
  }
  return kDone;
}

}  // namespace

Command CompileCommand() {
  return {"compile", "MODEL",
          "writes the compiled model; run, benchmark, profile and inspect take "
          "the file as MODEL",
          WithModelFlags(
              {{"output", "FILE", "where the compiled model goes (required)",
                false, "o"},
               {"tune", "",
                "times kernels in the whole network and keeps the fastest "
                "(CPU_TUNE)"}}),
          &Run};
}

}  // namespace dovetail::cli
