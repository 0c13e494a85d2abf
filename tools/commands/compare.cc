// dovetail compare: a model on one device against another, layer by layer.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/tools/cli/input/exported_model.h"
#include "dovetail/tools/cli/input/input_values.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"
#include "dovetail/tools/comparing/compare_export.h"
#include "dovetail/tools/comparing/compare_layers.h"
#include "dovetail/tools/comparing/comparison_data.h"
#include "dovetail/tools/comparing/sensitive_layers.h"

namespace dovetail::cli {
namespace {

using comparing::ComparedLayer;
using comparing::Comparison;
using comparing::Difference;
using comparing::Sensitivity;
using comparing::Side;

// Measured on sums of some thousand products; bf16 has 8 bits.
constexpr double kToleranceOfF32 = 1e-4;
constexpr double kToleranceOfFewerBits = 2e-2;

struct Sides {
  Side want, got;
  std::string Text() const {
    return absl::StrCat(Describe(want), " against ", Describe(got));
  }
  bool AreAlike() const { return Describe(want) == Describe(got); }
  static std::string Describe(const Side& side) {
    const auto precision = side.properties.find("INFERENCE_PRECISION_HINT");
    return precision == side.properties.end()
               ? side.device
               : absl::StrCat(side.device, " in ", precision->second);
  }
};

// "a,b" of a flag; one alone counts for both, and none is `otherwise` twice.
absl::StatusOr<std::pair<std::string, std::string>> Pair(
    const Arguments& arguments, const char* flag,
    const std::string& otherwise) {
  if (!arguments.Has(flag)) return std::pair(otherwise, otherwise);
  const std::vector<std::string> parts =
      absl::StrSplit(arguments.Get(flag), ',');
  if (parts.size() > 2 || parts.front().empty() || parts.back().empty()) {
    return InvalidArgument("--", flag, "=", arguments.Get(flag),
                           ": want one or two with a comma between them");
  }
  return std::pair(parts.front(), parts.back());
}

absl::StatusOr<Sides> ChooseSides(const Core& core,
                                  const Arguments& arguments) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDevice(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                            ChooseProperties(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const auto devices,
                            Pair(arguments, "devices", device));
  DOVETAIL_ASSIGN_OR_RETURN(const auto precisions,
                            Pair(arguments, "precisions", "default"));
  Sides sides = {{devices.first, properties}, {devices.second, properties}};
  if (precisions.first != "default") {
    sides.want.properties["INFERENCE_PRECISION_HINT"] = precisions.first;
  }
  if (precisions.second != "default") {
    sides.got.properties["INFERENCE_PRECISION_HINT"] = precisions.second;
  }
  return sides;
}

// Of --tolerance, or by what the two compute in.
absl::StatusOr<double> ChooseTolerance(const Arguments& arguments,
                                       const CompiledModel& want,
                                       const CompiledModel& got) {
  double otherwise = kToleranceOfF32;
  for (const CompiledModel* model : {&want, &got}) {
    const auto precision = model->GetProperty("INFERENCE_PRECISION_HINT");
    if (precision.ok() && (*precision == "bf16" || *precision == "f16")) {
      otherwise = kToleranceOfFewerBits;
    }
  }
  return arguments.GetDouble("tolerance", otherwise, 0, 1e30);
}

std::string DescribePlaces(const Difference& difference) {
  if (!difference.problem.empty()) return difference.problem;
  std::string text;
  for (const comparing::Place& place : difference.worst) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", place.position, " ",
                    place.got, ", want ", place.want);
  }
  return text;
}

void PrintVerdict(const Comparison& comparison, std::ostream& out) {
  if (comparison.first_off >= 0) {
    const ComparedLayer& first = comparison.layers[comparison.first_off];
    out << absl::StreamFormat(
        "first layer that is off: %s %s, output %d, by %.3g of its greatest "
        "value, %d of %d elements differ: %s\n",
        first.type, first.name, first.output, first.own.relative,
        first.own.differing, first.own.count, DescribePlaces(first.own));
    return;
  }
  if (!comparison.layers.empty()) {
    out << "no layer is off by itself\n";
  } else {
    out << "no layer could be looked at; "
        << (comparison.outputs_off ? "an output is off\n"
                                   : "no output is off\n");
    return;
  }
  if (comparison.outputs_off) {
    out << "outputs of the model as it is are off: where a device computes "
           "layers together, or errors add up\n";
  }
}

void Print(const Comparison& comparison, std::ostream& out) {
  if (!comparison.layers.empty()) out << "its own    through    layer\n";
  for (const ComparedLayer& layer : comparison.layers) {
    out << absl::StreamFormat("%-9.3g  %-9.3g  %s %s%s\n", layer.own.relative,
                              layer.through.relative, layer.type, layer.name,
                              layer.is_off ? "  OFF" : "");
  }
  out << "as it is   output\n";
  for (size_t i = 0; i < comparison.outputs.size(); ++i) {
    const Difference& difference = comparison.outputs[i];
    out << absl::StreamFormat(
        "%-9.3g  %s%s\n", difference.relative, comparison.output_names[i],
        difference.relative > comparison.tolerance ? "  OFF" : "");
  }
  PrintVerdict(comparison, out);
}

absl::StatusOr<Comparison> CompareFile(const Core& core,
                                       const Arguments& arguments,
                                       const Model& model,
                                       const CompiledModel& want,
                                       const std::vector<Tensor>& inputs,
                                       Sides& sides) {
  const std::string file = arguments.Get("exported");
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device, DeviceOfExport(file));
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel got, core.Import(file));
  sides.got = {absl::StrCat(file, " on ", device), {}};  // for people
  DOVETAIL_ASSIGN_OR_RETURN(const double tolerance,
                            ChooseTolerance(arguments, want, got));
  return comparing::CompareExport(core, model, inputs, sides.want, got, device,
                                  tolerance);
}

absl::StatusOr<Comparison> Compare(const Core& core, const Arguments& arguments,
                                   const std::string& path, Sides& sides) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel want,
      core.Compile(*model, sides.want.device, sides.want.properties));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> inputs,
                            ReadInputs(want, arguments, /*make_missing=*/true));
  if (arguments.Has("exported")) {
    return CompareFile(core, arguments, *model, want, inputs, sides);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel got,
      core.Compile(*model, sides.got.device, sides.got.properties));
  DOVETAIL_ASSIGN_OR_RETURN(const double tolerance,
                            ChooseTolerance(arguments, want, got));
  return comparing::CompareLayers(core, *model, inputs, sides.want, sides.got,
                                  tolerance);
}

absl::Status WritePage(const Arguments& arguments, const std::string& path,
                       const Sides& sides, const Comparison& comparison) {
  const std::string title = absl::StrCat(
      std::filesystem::path(path).stem().string(), ": ", sides.Text());
  return WriteText(comparing::ComparisonPage(
                       title,
                       {{"model", path},
                        {"reference", Sides::Describe(sides.want)},
                        {"compared", Sides::Describe(sides.got)},
                        {"tolerance", absl::StrCat(comparison.tolerance)}},
                       comparison),
                   arguments.Get("html"));
}

// ---- --find-sensitive ----

void PrintSensitivity(const Sensitivity& found, double bound,
                      std::ostream& out) {
  if (found.layers.empty() && found.is_possible) {
    out << absl::StreamFormat(
        "no layer has to stay in f32: outputs are off by %.3g, the bound is "
        "%.3g\n",
        found.without, bound);
    return;
  }
  if (!found.is_possible) {
    out << absl::StreamFormat(
        "outputs are off by %.3g, and by %.3g with all convolutions and matrix "
        "products in f32: the bound of %.3g is out of reach\n",
        found.without, found.with_all, bound);
    return;
  }
  out << absl::StreamFormat(
      "%d of %d convolutions and matrix products have to stay in f32: outputs "
      "are off by %.3g then, by %.3g else\n",
      found.layers.size(), found.candidates, found.with, found.without);
  for (const std::string& layer : found.layers) out << "  " << layer << "\n";
}

absl::StatusOr<int> FindSensitive(const Core& core, const Arguments& arguments,
                                  const std::string& path, Sides& sides,
                                  std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const double bound,
                            arguments.GetDouble("find-sensitive", 0, 0, 1e30));
  if (arguments.Has("write")) {
    DOVETAIL_RETURN_IF_ERROR(CheckCanWrite(arguments.Get("write")));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  sides.want.properties["INFERENCE_PRECISION_HINT"] = "f32";
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel want,
      core.Compile(*model, sides.want.device, sides.want.properties));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> inputs,
                            ReadInputs(want, arguments, /*make_missing=*/true));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> expected,
                            comparing::InferOnce(want, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Sensitivity found,
      comparing::FindSensitiveLayers(core, *model, inputs, expected, sides.got,
                                     bound));
  if (arguments.Has("write") && found.is_possible) {
    comparing::MarkLayers(*model, found.layers);
    DOVETAIL_RETURN_IF_ERROR(WriteIr(*model, arguments.Get("write")));
  }
  if (json) {
    out << nlohmann::ordered_json{{"layers", found.layers},
                                  {"candidates", found.candidates},
                                  {"bound", bound},
                                  {"without", found.without},
                                  {"with", found.with},
                                  {"with_all", found.with_all}}
               .dump(-1, ' ', false,
                     nlohmann::ordered_json::error_handler_t::replace)
        << "\n";
  } else {
    out << sides.Text() << "\n";
    PrintSensitivity(found, bound, out);
  }
  return found.is_possible ? kDone : kNo;
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(Sides sides, ChooseSides(core, arguments));
  if (arguments.Has("find-sensitive")) {
    return FindSensitive(core, arguments, path, sides, out);
  }
  if (arguments.Has("write")) {
    return InvalidArgument("--write needs --find-sensitive");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Comparison comparison,
                            Compare(core, arguments, path, sides));
  if (arguments.Has("html")) {
    DOVETAIL_RETURN_IF_ERROR(WritePage(arguments, path, sides, comparison));
  }
  if (json) {
    out << comparing::ComparisonData(comparison)
               .dump(-1, ' ', false,
                     nlohmann::ordered_json::error_handler_t::replace)
        << "\n";
  } else {
    out << sides.Text();
    if (!arguments.Has("exported") && sides.AreAlike()) {
      out << ", one and the same: --devices=A,B or --precisions=P,Q names two";
    }
    out << "\n";
    Print(comparison, out);
  }
  const bool is_off = comparison.first_off >= 0 || comparison.outputs_off;
  return is_off ? kNo : kDone;
}

}  // namespace

Command CompareCommand() {
  std::vector<Flag> flags = InputFlags();
  flags.push_back({"devices", "A,B", "A is right, B is compared with it"});
  flags.push_back({"precisions", "P,Q", "that the two compute in"});
  flags.push_back({"exported", "FILE",
                   "compares an exported model with its source instead"});
  flags.push_back({"tolerance", "T",
                   "in parts of a layer's greatest value (default: 1e-4; 2e-2 "
                   "where one computes in bf16 or f16)"});
  flags.push_back({"html", "FILE", "writes a page with pictures"});
  flags.push_back({"find-sensitive", "BOUND",
                   "finds layers that have to stay in f32 for no output to be "
                   "off by more, in parts of its greatest value"});
  flags.push_back({"write", "FILE.xml",
                   "--find-sensitive: writes the model with these marked"});
  return {"compare", "MODEL",
          "says which layer two devices or precisions disagree about",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
