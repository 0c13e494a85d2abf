#include "dovetail/tools/cli/session.h"

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/tools/cli/input/exported_model.h"
#include "dovetail/tools/cli/input/input_values.h"
#include "dovetail/tools/cli/input/picture_input.h"
#include "dovetail/tools/cli/model_options.h"

namespace dovetail::cli {

absl::StatusOr<CompiledModel> CompileOrImport(const Core& core,
                                              const Arguments& arguments,
                                              const std::string& path,
                                              const std::string& device,
                                              const PropertyMap& properties) {
  if (IsExportedModel(path)) {
    DOVETAIL_RETURN_IF_ERROR(CheckNoSourceFlags(arguments, path));
    return core.Import(path, device, properties);
  }
  // By the path where nothing changes the model first: a cache then knows it
  // without reading it.
  if (CheckNoSourceFlags(arguments, path).ok()) {
    return core.Compile(path, device, properties);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            LoadModel(core, arguments, path));
  return core.Compile(*model, device, properties);
}

absl::StatusOr<std::vector<Tensor>> ReadInputs(const CompiledModel& model,
                                               const Arguments& arguments,
                                               bool make_missing) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto files,
                            ChooseInputFiles(model.inputs(), arguments));
  DOVETAIL_ASSIGN_OR_RETURN(const PictureOptions options,
                            ChoosePictureOptions(arguments));
  std::vector<Tensor> inputs;
  std::string missing;
  for (size_t i = 0; i < model.inputs().size(); ++i) {
    const PortInfo& port = model.inputs()[i];
    const auto file = files.find(static_cast<int>(i));
    if (file != files.end()) {
      DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(),
                                ReadInput(port, file->second, options));
    } else if (make_missing) {
      DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(), MakeInput(port));
    } else {
      absl::StrAppend(&missing, missing.empty() ? "" : ", ", port.name, " (",
                      ElementTypeName(port.type), port.shape.ToString(), ")");
    }
  }
  if (!missing.empty()) {
    return InvalidArgument("no --input=INPUT=FILE for ", missing);
  }
  return inputs;
}

absl::Status SetInputs(const std::vector<Tensor>& inputs,
                       InferRequest& request) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        request.SetInput(static_cast<int>(i), inputs[i]));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::cli
