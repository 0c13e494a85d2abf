#include "dovetail/tools/cli/input/picture_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/preprocess/preprocessor.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail::cli {
namespace {

constexpr std::pair<absl::string_view, ResizeMode> kResizeModes[] = {
    {"linear", ResizeMode::kLinear},
    {"cubic", ResizeMode::kCubic},
    {"nearest", ResizeMode::kNearest},
    {"area", ResizeMode::kArea},
    {"pillow-bilinear", ResizeMode::kBilinearPillow},
    {"pillow-bicubic", ResizeMode::kBicubicPillow},
};

absl::StatusOr<std::vector<double>> ParseNumbers(absl::string_view flag,
                                                 absl::string_view text) {
  std::vector<double> numbers;
  for (const absl::string_view part :
       absl::StrSplit(text, ',', absl::SkipEmpty())) {
    double number;
    if (!absl::SimpleAtod(part, &number)) {
      return InvalidArgument("--", flag, "=", text, ": '", part,
                             "' is no number");
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::StatusOr<std::optional<ResizeMode>> ParseResize(absl::string_view text) {
  if (text == "none") return std::optional<ResizeMode>();
  std::vector<absl::string_view> names;
  for (const auto& [name, mode] : kResizeModes) {
    if (name == text) return std::optional<ResizeMode>(mode);
    names.push_back(name);
  }
  return InvalidArgument("--resize=", text, ": want ",
                         absl::StrJoin(names, ", "), " or none");
}

absl::StatusOr<PictureSize> ParseSize(const std::string& text) {
  const std::vector<absl::string_view> sides = absl::StrSplit(text, 'x');
  PictureSize size;
  if (sides.size() == 2 && absl::SimpleAtoi(sides[0], &size.height) &&
      absl::SimpleAtoi(sides[1], &size.width) && size.height > 0 &&
      size.width > 0) {
    return size;
  }
  return InvalidArgument("--picture-size=", text,
                         ": want height and width, as in 480x640");
}

absl::StatusOr<ColorFormat> ParseColor(const std::string& text) {
  absl::StatusOr<ColorFormat> color =
      ParseColorFormat(absl::AsciiStrToUpper(text));
  if (color.ok() && *color != ColorFormat::kUndefined) return color;
  return InvalidArgument(
      "--color=", text,
      ": want NV12_SINGLE_PLANE, NV12_TWO_PLANES, I420_SINGLE_PLANE, "
      "I420_THREE_PLANES, RGB, BGR, GRAY, RGBX or BGRX");
}

bool IsChannels(const Dimension& dim) {
  return dim == Dimension(1) || dim == Dimension(3);
}

absl::Status CheckChannelValues(const std::vector<double>& values,
                                absl::string_view flag, size_t channels) {
  if (values.size() <= 1 || values.size() == channels) {
    return absl::OkStatus();
  }
  return InvalidArgument("--", flag, " has ", values.size(),
                         " numbers, the input has ", channels, " channels");
}

// What the pictures are, and how they come to have the model's colours.
void AddColor(const PictureOptions& options, const PicturePort& port,
              PortPreprocess& steps) {
  const bool is_grey = port.channels == 1;
  if (options.color == ColorFormat::kUndefined) {
    if (!is_grey && !options.rgb) steps.ReverseChannels();
    return;
  }
  steps.tensor().set_color_format(options.color);
  if (is_grey) {
    steps.ConvertColor(ColorFormat::kGray);
  } else {
    steps.ConvertColor(options.rgb ? ColorFormat::kRgb : ColorFormat::kBgr);
  }
}

// For pictures of that size, the input being `port`.
absl::Status AddSteps(const PictureOptions& options, const PicturePort& port,
                      const Dimension& height, const Dimension& width,
                      PortPreprocess& steps) {
  const auto channels = static_cast<size_t>(port.channels);
  DOVETAIL_RETURN_IF_ERROR(CheckChannelValues(options.mean, "mean", channels));
  DOVETAIL_RETURN_IF_ERROR(
      CheckChannelValues(options.scale, "scale", channels));
  steps.model().set_layout(port.layout);
  steps.tensor()
      .set_element_type(ElementType::kU8)
      .set_layout(port.layout.size() == 4 ? "NHWC" : "HWC")
      .set_spatial_shape(height, width);
  AddColor(options, port, steps);
  const bool fits = !options.resize.has_value() || port.height.is_dynamic() ||
                    port.width.is_dynamic() ||
                    (height == port.height && width == port.width);
  if (!fits) steps.Resize(*options.resize);
  if (options.mean.empty() && options.scale.empty()) return absl::OkStatus();
  steps.ConvertElementType(ElementType::kF32);
  if (!options.mean.empty()) steps.Mean(options.mean);
  if (!options.scale.empty()) steps.Scale(options.scale);
  return absl::OkStatus();
}

// As many of it as there are in a batch, with `rank` axes.
absl::StatusOr<Tensor> Repeat(const Tensor& one, int64_t batch, int rank) {
  Shape shape = one.shape();
  if (shape.rank() < rank) shape.insert(0, 1);
  if (batch == 1) return one.Reshape(shape);
  shape[0] = batch;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor all, Tensor::Allocate(one.type(), shape));
  auto* to = static_cast<char*>(all.mutable_raw_data());
  for (int64_t i = 0; i < batch; ++i, to += one.byte_size()) {
    std::memcpy(to, one.raw_data(), one.byte_size());
  }
  return all;
}

// The steps alone, as a model that computes what an input of one picture is.
absl::StatusOr<Model> StepsAlone(const PortInfo& port, const PicturePort& takes,
                                 const Tensor& picture,
                                 const PictureOptions& options) {
  PartialShape shape = port.shape;
  if (shape.rank() == 4) shape[0] = 1;
  const auto extent = [&](absl::string_view axis, int64_t of_picture) {
    Dimension& dim = shape[static_cast<int>(takes.layout.find(axis[0]))];
    if (dim.is_dynamic()) dim = of_picture;
  };
  extent("H", picture.shape()[0]);
  extent("W", picture.shape()[1]);
  Model model("picture");
  DOVETAIL_ASSIGN_OR_RETURN(Node* const parameter,
                            AddParameter(model, port.type, shape, port.name));
  DOVETAIL_RETURN_IF_ERROR(AddResult(model, parameter->output()).status());
  Preprocessor preprocessor(std::move(model));
  DOVETAIL_RETURN_IF_ERROR(AddSteps(options, takes, picture.shape()[0],
                                    picture.shape()[1], preprocessor.input(0)));
  return std::move(preprocessor).Build();
}

}  // namespace

std::vector<Flag> PictureFlags() {
  return {
      {"mean", "M,…", "pictures: subtracted, one number or one a channel"},
      {"scale", "S,…", "pictures: divided by, after the mean"},
      {"rgb", "", "pictures: the model wants red first (default: blue)"},
      {"resize", "MODE",
       "puts the steps for pictures into the model, which takes u8 pictures "
       "of any size then: linear, cubic, nearest, area, pillow-bilinear, "
       "pillow-bicubic, none"},
      {"picture-size", "HxW", "--resize, --color: the size of all pictures"},
      {"color", "FORMAT",
       "the same for pictures that are no RGB: NV12_SINGLE_PLANE, "
       "NV12_TWO_PLANES, I420_SINGLE_PLANE, I420_THREE_PLANES, BGR, GRAY, "
       "RGBX, BGRX, as .npy or raw files"},
  };
}

absl::StatusOr<PictureOptions> ChoosePictureOptions(
    const Arguments& arguments) {
  PictureOptions options;
  options.rgb = arguments.Has("rgb");
  DOVETAIL_ASSIGN_OR_RETURN(options.mean,
                            ParseNumbers("mean", arguments.Get("mean")));
  DOVETAIL_ASSIGN_OR_RETURN(options.scale,
                            ParseNumbers("scale", arguments.Get("scale")));
  if (std::count(options.scale.begin(), options.scale.end(), 0.0) > 0) {
    return InvalidArgument("--scale=", arguments.Get("scale"),
                           ": a picture cannot be divided by 0");
  }
  options.in_model = arguments.Has("resize") || arguments.Has("color");
  if (arguments.Has("resize")) {
    DOVETAIL_ASSIGN_OR_RETURN(options.resize,
                              ParseResize(arguments.Get("resize")));
  }
  if (arguments.Has("color")) {
    DOVETAIL_ASSIGN_OR_RETURN(options.color,
                              ParseColor(arguments.Get("color")));
  }
  if (!arguments.Has("picture-size")) return options;
  if (!options.in_model) {
    return InvalidArgument("--picture-size needs --resize or --color");
  }
  DOVETAIL_ASSIGN_OR_RETURN(options.size,
                            ParseSize(arguments.Get("picture-size")));
  return options;
}

absl::StatusOr<PicturePort> FindPicturePort(absl::string_view name,
                                            const PartialShape& shape) {
  const bool has_axes =
      shape.rank_known() && (shape.rank() == 4 || shape.rank() == 3);
  if (has_axes) {
    const int first = shape.rank() - 3;
    PicturePort port;
    if (first == 1 && shape[0].is_static()) port.batch = shape[0].value();
    const std::string batch = first == 1 ? "N" : "";
    if (IsChannels(shape[first])) {
      port.layout = absl::StrCat(batch, "CHW");
    } else if (IsChannels(shape[first + 2])) {
      port.layout = absl::StrCat(batch, "HWC");
    }
    if (!port.layout.empty()) {
      const auto at = [&](char axis) {
        return shape[static_cast<int>(port.layout.find(axis))];
      };
      port.channels = static_cast<int>(at('C').value());
      port.height = at('H'), port.width = at('W');
      return port;
    }
  }
  return InvalidArgument("input '", name, "' ", shape.ToString(),
                         " takes no picture: want [N,C,H,W] or [N,H,W,C] with "
                         "1 or 3 channels");
}

absl::Status TakePictures(const PictureOptions& options, Model& model) {
  std::vector<PicturePort> ports;
  for (const Node* parameter : model.parameters()) {
    const auto port =
        FindPicturePort(parameter->name(), parameter->port().shape);
    ports.push_back(port.value_or(PicturePort()));
  }
  Preprocessor preprocessor(std::move(model));
  bool takes_any = false;
  for (size_t i = 0; i < ports.size(); ++i) {
    const PicturePort& port = ports[i];
    if (port.layout.empty()) continue;
    takes_any = true;
    Dimension height, width;
    if (options.size.has_value()) {
      height = options.size->height, width = options.size->width;
    } else if (!options.resize.has_value()) {
      height = port.height, width = port.width;
    }
    DOVETAIL_RETURN_IF_ERROR(AddSteps(options, port, height, width,
                                      preprocessor.input(static_cast<int>(i))));
  }
  if (!takes_any) {
    return InvalidArgument(
        "no input takes pictures: want [N,C,H,W] or [N,H,W,C] with 1 or 3 "
        "channels");
  }
  DOVETAIL_ASSIGN_OR_RETURN(model, std::move(preprocessor).Build());
  return absl::OkStatus();
}

absl::StatusOr<Tensor> PictureToInput(const PortInfo& port,
                                      const Tensor& picture,
                                      const PictureOptions& options) {
  DOVETAIL_ASSIGN_OR_RETURN(const PicturePort takes,
                            FindPicturePort(port.name, port.shape));
  if (takes.channels != picture.shape()[2]) {
    return InvalidArgument("input '", port.name, "' takes ", takes.channels,
                           " channels, the picture has ", picture.shape()[2]);
  }
  const int rank = port.shape.rank();
  if (options.in_model) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor whole, Repeat(picture, takes.batch, rank));
    if (port.shape.Contains(whole.shape())) return whole;
    return InvalidArgument("the picture is ", picture.shape().ToString(),
                           ", input '", port.name, "' wants ",
                           port.shape.ToString());
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Model steps,
                            StepsAlone(port, takes, picture, options));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor source, Repeat(picture, 1, rank));
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Tensor> results,
                            EvaluateModel(steps, {source}, {}));
  return Repeat(results.front(), takes.batch, rank);
}

}  // namespace dovetail::cli
