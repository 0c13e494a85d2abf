// dovetail run: one inference, from files to a summary and files.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/image/image.h"
#include "dovetail/extensions/npy/npy.h"
#include "dovetail/tools/cli/input/input_values.h"
#include "dovetail/tools/cli/input/picture_input.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/boxes.h"
#include "dovetail/tools/cli/output/output_summary.h"
#include "dovetail/tools/cli/plugin_options.h"
#include "dovetail/tools/cli/session.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::ordered_json;

// --top and --labels.
struct TopOptions {
  int64_t k = 0;  // 0: none asked for
  std::vector<std::string> labels;

  std::string Label(int64_t index) const {
    return index < static_cast<int64_t>(labels.size()) ? labels[index] : "";
  }
};

absl::StatusOr<TopOptions> ChooseTop(const Arguments& arguments) {
  TopOptions options;
  const bool has_labels = arguments.Has("labels");
  DOVETAIL_ASSIGN_OR_RETURN(
      options.k, arguments.GetInt("top", has_labels ? 5 : 0, 1, 1000000));
  if (has_labels) {
    DOVETAIL_ASSIGN_OR_RETURN(options.labels,
                              ReadLabels(arguments.Get("labels")));
  }
  return options;
}

// JSON has no infinities and NaN.
Json Number(double value) {
  return std::isfinite(value) ? Json(value) : Json(absl::StrCat(value));
}

Json ToJson(const PortInfo& port, const Tensor& tensor, const TopOptions& top) {
  const Summary summary = Summarize(tensor);
  Json entry = {{"name", port.name},
                {"type", std::string(ElementTypeName(tensor.type()))},
                {"shape", tensor.shape().ToVector()},
                {"min", Number(summary.min)},
                {"max", Number(summary.max)},
                {"mean", Number(summary.mean)},
                {"nan", summary.nan_count}};
  Json& first = entry["first"] = Json::array();
  for (int64_t i = 0; i < std::min<int64_t>(tensor.element_count(), 8); ++i) {
    first.push_back(tensor.type() == ElementType::kString
                        ? Json(tensor.data<std::string>()[i])
                        : Number(tensor.ElementAsDouble(i)));
  }
  if (top.k == 0) return entry;
  Json& best = entry["top"] = Json::array();
  for (const auto& [index, value] : TopK(tensor, top.k)) {
    Json row = {{"index", index}, {"value", Number(value)}};
    if (!top.labels.empty()) row["label"] = top.Label(index);
    best.push_back(std::move(row));
  }
  return entry;
}

void Print(const PortInfo& port, const Tensor& tensor, const TopOptions& top,
           std::ostream& out) {
  out << port.name << "  " << ElementTypeName(tensor.type())
      << tensor.shape().ToString() << "\n";
  if (tensor.type() == ElementType::kString) {
    out << "  " << tensor.ToString() << "\n";
    return;
  }
  if (top.k > 0) {
    for (const auto& [index, value] : TopK(tensor, top.k)) {
      out << absl::StreamFormat("  %6d  %-10.6g  %s\n", index, value,
                                top.Label(index));
    }
    return;
  }
  const Summary summary = Summarize(tensor);
  out << absl::StreamFormat("  min %.6g  max %.6g  mean %.6g", summary.min,
                            summary.max, summary.mean);
  if (summary.nan_count > 0) out << "  NaN " << summary.nan_count;
  const std::string text = tensor.ToString();
  out << "\n  first " << text.substr(text.find('{')) << "\n";
}

absl::Status WriteOutputs(const std::string& directory,
                          const std::vector<Tensor>& outputs) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return Unavailable("cannot make the folder ", directory, ": ",
                       error.message());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteNpy(absl::StrCat(directory, "/out", i, ".npy"), outputs[i]));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Tensor>> InferOnce(const CompiledModel& model,
                                              const Arguments& arguments) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> inputs,
      ReadInputs(model, arguments, /*make_missing=*/false));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_RETURN_IF_ERROR(SetInputs(inputs, request));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < model.outputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs.emplace_back(),
                              request.Output(static_cast<int>(i)));
  }
  return outputs;
}

// ---- Boxes ----

// The size of the picture that an input is given, and of the input, if the
// model says it.
struct Picture {
  PictureSize size;
  std::optional<PictureSize> input;
};

std::optional<PictureSize> SizeOf(const PicturePort& port) {
  if (port.height.is_dynamic() || port.width.is_dynamic()) return std::nullopt;
  return PictureSize{port.height.value(), port.width.value()};
}

// Nothing where it is no picture. Files of other colours do not say their size.
std::optional<PictureSize> SizeOfFile(const std::string& file,
                                      const PictureOptions& options) {
  if (options.color != ColorFormat::kUndefined) return options.size;
  const auto image = ReadImage(file);
  if (!image.ok()) return std::nullopt;
  return PictureSize{image->shape()[0], image->shape()[1]};
}

absl::StatusOr<Picture> FindPicture(const Core& core,
                                    const CompiledModel& model,
                                    const std::string& path,
                                    const Arguments& arguments) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto files,
                            ChooseInputFiles(model.inputs(), arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const PictureOptions options,
                            ChoosePictureOptions(arguments));
  for (const auto& [index, file] : files) {
    const std::optional<PictureSize> size = SizeOfFile(file, options);
    if (!size.has_value()) continue;
    PartialShape shape = model.inputs()[index].shape;
    if (options.in_model) {
      DOVETAIL_ASSIGN_OR_RETURN(const auto source, core.ReadModel(path));
      const auto& parameters = source->parameters();
      if (index >= static_cast<int>(parameters.size())) continue;  // a plane
      shape = parameters[index]->port().shape;
    }
    const auto port = FindPicturePort(model.inputs()[index].name, shape);
    if (port.ok()) return Picture{*size, SizeOf(*port)};
  }
  return InvalidArgument("--boxes: no input is a picture",
                         options.color != ColorFormat::kUndefined
                             ? "; with --color it needs --picture-size"
                             : "");
}

absl::StatusOr<Json> BoxesToShow(const Core& core, const CompiledModel& model,
                                 const std::string& path,
                                 const std::vector<Tensor>& outputs,
                                 const Arguments& arguments) {
  double threshold = 0;
  if (!absl::SimpleAtod(arguments.Get("boxes"), &threshold)) {
    return InvalidArgument("--boxes=", arguments.Get("boxes"),
                           ": want a confidence, such as 0.5");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Picture picture,
                            FindPicture(core, model, path, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(
      const auto boxes,
      BoxesIn(outputs, picture.size, picture.input, threshold));
  Json rows = Json::array();
  for (const conformance::Detection& box : boxes) {
    rows.push_back({{"label", box.label},
                    {"confidence", box.confidence},
                    {"left", box.x1},
                    {"top", box.y1},
                    {"right", box.x2},
                    {"bottom", box.y2}});
  }
  return rows;
}

void PrintBoxes(const Json& boxes, const TopOptions& top, std::ostream& out) {
  out << "boxes, in pixels of the picture\n"
         "   label  confidence    left     top   right  bottom\n";
  for (const Json& box : boxes) {
    out << absl::StreamFormat(
        "%8g  %10.3f  %6.1f  %6.1f  %6.1f  %6.1f  %s\n",
        box["label"].get<double>(), box["confidence"].get<double>(),
        box["left"].get<double>(), box["top"].get<double>(),
        box["right"].get<double>(), box["bottom"].get<double>(),
        top.Label(static_cast<int64_t>(box["label"].get<double>())));
  }
}

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const bool json, WantsJson(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "model"));
  DOVETAIL_ASSIGN_OR_RETURN(const TopOptions top, ChooseTop(arguments));
  Core core;
  DOVETAIL_RETURN_IF_ERROR(LoadPlugins(core, arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const std::string device,
                            ChooseDeviceOf(core, arguments, path));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                            ChooseProperties(arguments));
  DOVETAIL_ASSIGN_OR_RETURN(
      const CompiledModel model,
      CompileOrImport(core, arguments, path, device, properties));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs,
                            InferOnce(model, arguments));
  if (arguments.Has("output-dir")) {
    DOVETAIL_RETURN_IF_ERROR(
        WriteOutputs(arguments.Get("output-dir"), outputs));
  }
  Json boxes;
  if (arguments.Has("boxes")) {
    DOVETAIL_ASSIGN_OR_RETURN(
        boxes, BoxesToShow(core, model, path, outputs, arguments));
    if (!json) PrintBoxes(boxes, top, out);
  }
  Json entries = Json::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (json) {
      entries.push_back(ToJson(model.outputs()[i], outputs[i], top));
    } else if (boxes.is_null()) {
      Print(model.outputs()[i], outputs[i], top, out);
    }
  }
  if (json) {
    Json all = {{"device", device}, {"outputs", entries}};
    if (!boxes.is_null()) all["boxes"] = boxes;
    out << all.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  }
  return kDone;
}

}  // namespace

Command RunCommand() {
  std::vector<Flag> flags = InputFlags();
  flags.push_back({"output-dir", "DIR", "writes every output as out<i>.npy"});
  flags.push_back({"boxes", "CONFIDENCE",
                   "shows detections from there on, in pixels of the picture"});
  flags.push_back({"top", "K", "shows the K greatest elements of each output"});
  flags.push_back({"labels", "FILE", "names for --top, one a line"});
  return {"run", "MODEL", "runs a model once and shows its outputs",
          WithModelFlags(std::move(flags)), &Run};
}

}  // namespace dovetail::cli
