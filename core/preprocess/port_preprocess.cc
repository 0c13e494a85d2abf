// The steps of one input or output.
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/preprocess/color_step.h"
#include "dovetail/core/preprocess/preprocessor.h"
#include "dovetail/core/preprocess/value_steps.h"

namespace dovetail {

PortPreprocess& PortPreprocess::Then(
    absl::string_view name, std::function<absl::Status(StepContext&)> apply) {
  steps_.push_back({std::string(name), std::move(apply)});
  return *this;
}

PortPreprocess& PortPreprocess::ConvertElementType(ElementType type) {
  return Then("convert_element_type", [type](StepContext& context) {
    return dovetail::ConvertElementType(type, context);
  });
}

PortPreprocess& PortPreprocess::ConvertLayout(absl::string_view layout) {
  return Then(
      "convert_layout",
      [text = std::string(layout)](StepContext& context) -> absl::Status {
        DOVETAIL_ASSIGN_OR_RETURN(const Layout to, Layout::Parse(text));
        return dovetail::ConvertLayout(to, context);
      });
}

PortPreprocess& PortPreprocess::TransposeAxes(std::vector<int64_t> order) {
  return Then("convert_layout",
              [order = std::move(order)](StepContext& context) {
                return dovetail::TransposeAxes(order, context);
              });
}

PortPreprocess& PortPreprocess::Own(OwnStep step) {
  return Then("own",
              [step = std::move(step)](StepContext& context) -> absl::Status {
                DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.Data());
                DOVETAIL_ASSIGN_OR_RETURN(const Value result,
                                          step(context.model(), data));
                if (!result) return InvalidArgument("gives no value");
                context.Set(result);
                return absl::OkStatus();
              });
}

PortPreprocess& PortPreprocess::Resize(ResizeMode mode,
                                       std::optional<PictureSize> size) {
  return Then("resize", [mode, size](StepContext& context) {
    return dovetail::Resize(mode, size, context);
  });
}

PortPreprocess& PortPreprocess::Mean(std::vector<double> values) {
  return Then("mean", [values = std::move(values)](StepContext& context) {
    return ApplyByChannel("Subtract", values, context);
  });
}

PortPreprocess& PortPreprocess::Scale(std::vector<double> values) {
  return Then("scale", [values = std::move(values)](StepContext& context) {
    return ApplyByChannel("Divide", values, context);
  });
}

PortPreprocess& PortPreprocess::Pad(std::vector<int64_t> begin,
                                    std::vector<int64_t> end, double value,
                                    PadMode mode) {
  return Then("pad", [begin = std::move(begin), end = std::move(end), value,
                      mode](StepContext& context) {
    return dovetail::Pad(begin, end, value, mode, context);
  });
}

PortPreprocess& PortPreprocess::Crop(std::vector<int64_t> begin,
                                     std::vector<int64_t> end) {
  return Then("crop", [begin = std::move(begin),
                       end = std::move(end)](StepContext& context) {
    return dovetail::Crop(begin, end, context);
  });
}

PortPreprocess& PortPreprocess::ReverseChannels() {
  return Then("reverse_channels", [](StepContext& context) {
    return dovetail::ReverseChannels(context);
  });
}

PortPreprocess& PortPreprocess::ConvertColor(ColorFormat to) {
  return Then("convert_color", [to](StepContext& context) {
    return dovetail::ConvertColor(to, context);
  });
}

}  // namespace dovetail
