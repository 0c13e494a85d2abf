#include "dovetail/tools/cli/model_options.h"

#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/tools/cli/input/exported_model.h"
#include "dovetail/tools/cli/input/layout_options.h"
#include "dovetail/tools/cli/input/picture_input.h"
#include "dovetail/tools/cli/plugin_options.h"

namespace dovetail::cli {
namespace {

const std::vector<Flag>& ModelFlags() {
  static const auto& flags = *new std::vector<Flag>{
      {"device", "NAME",
       "where to run (default: what the model was exported for; CPU when built "
       "in, else REFERENCE)"},
      {"config", "KEY=VALUE", "any property of the device", true},
      {"threads", "N", "short for --config=INFERENCE_NUM_THREADS=N"},
      {"streams", "N", "short for --config=NUM_STREAMS=N"},
      {"precision", "f32|bf16|f16|default",
       "short for --config=INFERENCE_PRECISION_HINT=…"},
      {"weights", "FILE", "the weights (default: beside the model, .bin)"},
      {"shape", "INPUT=DIMS", "reshapes an input, as in 0=1,3,224,224", true},
      {"batch", "N", "sets the batch of every input"},
      kPluginFlag,
      kExtensionFlag,
      kFormatFlag,
  };
  return flags;
}

// A number is an index, also where a tensor or layer has it as its name.
absl::StatusOr<int> FindInput(const Model& model, const std::string& text) {
  int index;
  if (absl::SimpleAtoi(text, &index) && index >= 0 &&
      index < static_cast<int>(model.parameters().size())) {
    return index;
  }
  return model.FindInput(text);
}

absl::Status ApplyShapes(const Arguments& arguments, Model& model) {
  std::map<int, PartialShape> shapes;
  for (const std::string& text : arguments.GetAll("shape")) {
    // A tensor's name may hold "=", dimensions don't.
    const size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      return InvalidArgument("--shape=", text,
                             ": want --shape=INPUT=DIMS, as in 0=1,3,224,224");
    }
    absl::StatusOr<PartialShape> shape =
        PartialShape::Parse(absl::string_view(text).substr(equals + 1));
    if (!shape.ok()) {
      return Annotate(shape.status(), absl::StrCat("--shape=", text));
    }
    DOVETAIL_ASSIGN_OR_RETURN(const int input,
                              FindInput(model, text.substr(0, equals)));
    if (!shapes.emplace(input, *shape).second) {
      return InvalidArgument("--shape=", text, ": input '",
                             model.InputName(input), "' is given twice");
    }
  }
  if (shapes.empty()) return absl::OkStatus();
  return model.ReshapeByIndex(shapes);
}

}  // namespace

const Flag kFormatFlag = {"format", "text|json",
                          "text for people, or one JSON object as last line"};

std::vector<Flag> WithModelFlags(std::vector<Flag> own) {
  for (const std::vector<Flag>& flags :
       {PictureFlags(), LayoutFlags(), ModelFlags()}) {
    own.insert(own.end(), flags.begin(), flags.end());
  }
  return own;
}

absl::StatusOr<bool> WantsJson(const Arguments& arguments) {
  const std::string format = arguments.Get("format", "text");
  if (format != "text" && format != "json") {
    return InvalidArgument("--format=", format, ": want text or json");
  }
  return format == "json";
}

absl::StatusOr<std::string> ChooseDevice(const Core& core,
                                         const Arguments& arguments) {
  if (arguments.Has("device")) return arguments.Get("device");
  if (auto device = core.DefaultDevice(); device.ok()) return device;
  // The program takes also one that nobody would take by itself, if there is no
  // other.
  for (const auto& [name, version] : core.Versions()) {
    const absl::StatusOr<std::string> found =
        core.GetProperty(name, "FULL_DEVICE_NAME");
    if (found.ok() && !found->empty()) return name;
  }
  return NotFound("no device is built in that can be used");
}

absl::StatusOr<std::string> ChooseDeviceOf(const Core& core,
                                           const Arguments& arguments,
                                           const std::string& path) {
  const bool as_exported = !arguments.Has("device") && IsExportedModel(path);
  return as_exported ? DeviceOfExport(path) : ChooseDevice(core, arguments);
}

absl::StatusOr<PropertyMap> ChooseProperties(const Arguments& arguments) {
  PropertyMap properties;
  if (arguments.Has("threads")) {
    properties["INFERENCE_NUM_THREADS"] = arguments.Get("threads");
  }
  if (arguments.Has("streams")) {
    properties["NUM_STREAMS"] = arguments.Get("streams");
  }
  const std::string precision = arguments.Get("precision", "default");
  if (precision != "default") {
    properties["INFERENCE_PRECISION_HINT"] = precision;
  }
  for (const std::string& text : arguments.GetAll("config")) {
    DOVETAIL_ASSIGN_OR_RETURN(auto pair, SplitKeyValue("config", text));
    properties[absl::AsciiStrToUpper(pair.first)] = pair.second;
  }
  return properties;
}

absl::StatusOr<std::string> OnlyOperand(const Arguments& arguments,
                                        absl::string_view what) {
  if (arguments.positional().size() == 1) return arguments.positional()[0];
  return InvalidArgument("want one ", what, ", got ",
                         arguments.positional().size());
}

absl::StatusOr<std::unique_ptr<Model>> LoadModel(const Core& core,
                                                 const Arguments& arguments,
                                                 const std::string& path) {
  DOVETAIL_RETURN_IF_ERROR(CheckIsSource(path));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model,
                            core.ReadModel(path, arguments.Get("weights")));
  DOVETAIL_RETURN_IF_ERROR(ApplyShapes(arguments, *model));
  if (arguments.Has("batch")) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t batch,
                              arguments.GetInt("batch", 1, 1, 1 << 20));
    DOVETAIL_RETURN_IF_ERROR(model->SetBatch(batch));
  }
  DOVETAIL_RETURN_IF_ERROR(ApplyLayouts(arguments, *model));
  DOVETAIL_ASSIGN_OR_RETURN(const PictureOptions pictures,
                            ChoosePictureOptions(arguments));
  if (pictures.in_model) {
    DOVETAIL_RETURN_IF_ERROR(TakePictures(pictures, *model));
  }
  return model;
}

}  // namespace dovetail::cli
