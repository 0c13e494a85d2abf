// Preprocessing inside a model: nodes between what an application has and what
// a model takes, and between what it gives and what the application wants.
//
//   Preprocessor p(std::move(model));
//   p.input(0).tensor().set_element_type(ElementType::kU8).set_layout("NHWC");
//   p.input(0).model().set_layout("NCHW");
//   p.input(0).Resize(ResizeMode::kLinear).Mean({127.5}).Scale({127.5});
//   DOVETAIL_ASSIGN_OR_RETURN(Model whole, std::move(p).Build());
//
// Mistakes are kept until Build, which names the input and the step.
#ifndef DOVETAIL_CORE_PREPROCESS_PREPROCESSOR_H_
#define DOVETAIL_CORE_PREPROCESS_PREPROCESSOR_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/preprocess/color_format.h"
#include "dovetail/core/preprocess/geometry_steps.h"
#include "dovetail/core/preprocess/step_context.h"
#include "dovetail/core/preprocess/tensor_description.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// An operation of one's own: adds nodes to the model, gives the last value.
using OwnStep = std::function<absl::StatusOr<Value>(Model&, Value)>;

// One input or output and its steps, which are applied in order of calls.
// Differences that are left between tensor and model in spatial size (linear),
// type and layout are closed after them; for outputs type and layout.
class PortPreprocess {
 public:
  TensorDescription& tensor() { return tensor_; }
  TensorDescription& model() { return model_; }

  // Without a type: the model's.
  PortPreprocess& ConvertElementType(ElementType type = ElementType::kDynamic);
  // Without a layout: the model's.
  PortPreprocess& ConvertLayout(absl::string_view layout = "");
  PortPreprocess& TransposeAxes(std::vector<int64_t> order);
  PortPreprocess& Own(OwnStep step);
  // Of inputs only; a size that is left out is the model's.
  PortPreprocess& Resize(ResizeMode mode,
                         std::optional<PictureSize> size = std::nullopt);
  PortPreprocess& Mean(std::vector<double> values);
  PortPreprocess& Scale(std::vector<double> values);
  PortPreprocess& Pad(std::vector<int64_t> begin, std::vector<int64_t> end,
                      double value, PadMode mode = PadMode::kConstant);
  PortPreprocess& Crop(std::vector<int64_t> begin, std::vector<int64_t> end);
  PortPreprocess& ReverseChannels();
  PortPreprocess& ConvertColor(ColorFormat to);

  const TensorDescription& tensor() const { return tensor_; }
  const TensorDescription& model() const { return model_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  PortPreprocess& Then(absl::string_view name,
                       std::function<absl::Status(StepContext&)> apply);

  TensorDescription tensor_, model_;
  std::vector<Step> steps_;
};

// Owns the model until Build. Threads: as for a container.
class Preprocessor {
 public:
  explicit Preprocessor(Model model) : model_(std::move(model)) {}

  // By index. The references are valid as long as the preprocessor.
  PortPreprocess& input(int i) { return inputs_[i]; }
  PortPreprocess& output(int i) { return outputs_[i]; }
  const Model& model() const { return model_; }

  // The model with all that was asked for. Inputs keep their names and places;
  // the second and third plane of a picture in planes are added at the end,
  // and all its planes are called "<input>/Y" and so on. kInvalidArgument
  // names input or output, step and reason; kNotFound an index that there is
  // not. The preprocessor is used up.
  absl::StatusOr<Model> Build() &&;

 private:
  Model model_;
  std::map<int, PortPreprocess> inputs_, outputs_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_PREPROCESSOR_H_
