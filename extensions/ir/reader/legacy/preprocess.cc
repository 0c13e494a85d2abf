#include "dovetail/extensions/ir/reader/legacy/preprocess.h"

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

absl::StatusOr<Node*> FindInput(pugi::xml_node xml, const Model& model) {
  const absl::string_view wanted =
      absl::StripAsciiWhitespace(xml.attribute("reference-layer-name").value());
  for (Node* parameter : model.parameters()) {
    const PartialShape& shape = parameter->port().shape;
    const bool is_it = wanted.empty() ? shape.rank_known() && shape.rank() == 4
                                      : parameter->name() == wanted;
    if (is_it) return parameter;
  }
  if (wanted.empty()) return InvalidArgument("no input has 4 dimensions");
  return InvalidArgument("attribute 'reference-layer-name': no input is '",
                         wanted, "'");
}

// [channels, height, width] of the input, which the means have to fit.
absl::StatusOr<Shape> ChannelShape(const Node& parameter) {
  absl::StatusOr<Shape> shape = parameter.port().shape.ToShape();
  if (!shape.ok() || shape->rank() < 2) {
    return InvalidArgument("input '", parameter.name(), "' of shape ",
                           parameter.port().shape.ToString(),
                           " has no channels known");
  }
  shape->erase(0);
  return shape;
}

// By channel: one mean value, or an image in the weights, and a scale.
struct Channels {
  std::map<int64_t, double> means;
  std::map<int64_t, Tensor> images;
  std::map<int64_t, double> scales;
};

// What the images are stored as: "mean-precision", else the input's type.
absl::StatusOr<ElementType> ImageType(pugi::xml_node xml, ElementType input) {
  const pugi::xml_attribute precision = xml.attribute("mean-precision");
  if (!precision || *precision.value() == 0) return input;
  absl::StatusOr<ElementType> type = ParseElementType(precision.value());
  if (type.ok() && IsFloat(*type) && !IsSubByte(*type)) return type;
  return InvalidArgument(
      "attribute 'mean-precision': want a type of floats, "
      "such as FP32, not '",
      precision.value(), "'");
}

absl::StatusOr<double> RequireValue(pugi::xml_node xml) {
  absl::StatusOr<double> number = ParseFloat(xml.attribute("value").value());
  if (number.ok()) return number;
  return Annotate(number.status(),
                  absl::StrCat(LocationOf(xml), ": attribute 'value'"));
}

absl::Status ReadMean(pugi::xml_node mean, int64_t id, ElementType type,
                      const Shape& image, Weights* weights,
                      Channels* channels) {
  if (mean.attribute("value")) {
    DOVETAIL_ASSIGN_OR_RETURN(channels->means[id], RequireValue(mean));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t offset, RequireInt(mean, "offset"));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, RequireInt(mean, "size"));
  DOVETAIL_ASSIGN_OR_RETURN(channels->images[id],
                            weights->ReadTensor(type, image, offset, size));
  return absl::OkStatus();
}

absl::Status ReadScale(pugi::xml_node scale, int64_t id, Channels* channels) {
  DOVETAIL_ASSIGN_OR_RETURN(const double value, RequireValue(scale));
  if (value == 0) {
    return InvalidArgument(LocationOf(scale),
                           ": attribute 'value': cannot divide by 0");
  }
  channels->scales[id] = value;
  return absl::OkStatus();
}

// Channels 0 to n - 1, one after the other, as one tensor.
absl::StatusOr<Tensor> JoinImages(const std::map<int64_t, Tensor>& images,
                                  ElementType type, const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor all, Tensor::Allocate(images.begin()->second.type(), shape));
  auto* to = static_cast<char*>(all.mutable_raw_data());
  for (const auto& [id, image] : images) {
    std::memcpy(to, image.raw_data(), image.byte_size());
    to += image.byte_size();
  }
  return ConvertTensor(all, type);
}

// One value a channel, to broadcast over pixels.
absl::StatusOr<Tensor> JoinValues(const std::map<int64_t, double>& values,
                                  ElementType type, Shape shape) {
  for (int axis = 1; axis < shape.rank(); ++axis) shape[axis] = 1;
  std::vector<double> list;
  for (const auto& [id, value] : values) list.push_back(value);
  return Tensor::FromDoubles(type, shape, list);
}

template <typename T>
absl::Status CheckChannels(const std::map<int64_t, T>& of, int64_t channels) {
  const auto count = static_cast<int64_t>(of.size());
  const int64_t first = of.begin()->first, last = of.rbegin()->first;
  if (count == channels && first == 0 && last == channels - 1) {
    return absl::OkStatus();
  }
  return InvalidArgument("has means for ", count, " channels, ", first, " to ",
                         last, ", but the input has ", channels);
}

absl::StatusOr<Tensor> JoinMeans(const Channels& channels, ElementType type,
                                 const Shape& shape) {
  if (!channels.means.empty() && !channels.images.empty()) {
    return InvalidArgument("some channels have a mean value, some an image");
  }
  if (!channels.images.empty()) {
    DOVETAIL_RETURN_IF_ERROR(CheckChannels(channels.images, shape[0]));
    return JoinImages(channels.images, type, shape);
  }
  DOVETAIL_RETURN_IF_ERROR(CheckChannels(channels.means, shape[0]));
  return JoinValues(channels.means, type, shape);
}

absl::StatusOr<Tensor> JoinScales(Channels& channels, ElementType type,
                                  const Shape& shape) {
  const int64_t first = channels.scales.begin()->first;
  const int64_t last = channels.scales.rbegin()->first;
  if (first < 0 || last >= shape[0]) {
    return InvalidArgument("has a scale for channel ", first < 0 ? first : last,
                           ", but the input has ", shape[0], " channels");
  }
  for (int64_t id = 0; id < shape[0]; ++id) channels.scales.emplace(id, 1);
  return JoinValues(channels.scales, type, shape);
}

// Everything that read the value now reads what the operation makes of it. The
// tensor's names stay with the input.
absl::StatusOr<Value> Apply(OpType type, absl::string_view name,
                            const Tensor& by, Value value, Model* model) {
  const OpInfo* op = FindOp(type);
  if (op == nullptr) return Unimplemented("there is no such operation");
  const std::vector<Use> uses = value.port().uses;
  const std::string prefix = value.node->name();
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * constant,
      AddConstant(*model, by, absl::StrCat(prefix, "/", name)));
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * result, model->Add(*op, {value, constant->output()}, nullptr,
                                absl::StrCat(prefix, "/by_", name)));
  for (const Use& use : uses) use.node->SetInput(use.input, result->output());
  return result->output();
}

// By "id", or one more than the channel before.
absl::StatusOr<Channels> ReadChannels(pugi::xml_node xml, ElementType type,
                                      const Shape& image, Weights* weights) {
  Channels channels;
  std::set<int64_t> known;
  int64_t id = -1;
  for (pugi::xml_node channel : xml.children("channel")) {
    ++id;
    if (channel.attribute("id")) {
      DOVETAIL_ASSIGN_OR_RETURN(id, RequireInt(channel, "id"));
    }
    if (!known.insert(id).second) {
      return InvalidArgument(LocationOf(channel), ": channel ", id,
                             " is there twice");
    }
    if (const pugi::xml_node mean = channel.child("mean")) {
      DOVETAIL_RETURN_IF_ERROR(
          ReadMean(mean, id, type, image, weights, &channels));
    }
    if (const pugi::xml_node scale = channel.child("scale")) {
      DOVETAIL_RETURN_IF_ERROR(ReadScale(scale, id, &channels));
    }
  }
  return channels;
}

absl::Status ReadPreProcess(pugi::xml_node xml, Weights* weights,
                            Model* model) {
  DOVETAIL_ASSIGN_OR_RETURN(Node * parameter, FindInput(xml, *model));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, ChannelShape(*parameter));
  const ElementType type = parameter->port().type;
  if (!IsFloat(type) || IsSubByte(type)) {
    return InvalidArgument("input '", parameter->name(), "' of ",
                           ElementTypeName(type), " cannot have a mean");
  }
  Shape image = shape;
  image[0] = 1;
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType stored, ImageType(xml, type));
  DOVETAIL_ASSIGN_OR_RETURN(Channels channels,
                            ReadChannels(xml, stored, image, weights));
  Value value = parameter->output();
  if (!parameter->has_uses()) return absl::OkStatus();
  if (!channels.means.empty() || !channels.images.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor mean,
                              JoinMeans(channels, type, shape));
    DOVETAIL_ASSIGN_OR_RETURN(value,
                              Apply("Subtract-1", "mean", mean, value, model));
  }
  if (channels.scales.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor scale,
                            JoinScales(channels, type, shape));
  return Apply("Divide-1", "scale", scale, value, model).status();
}

}  // namespace

absl::Status AddPreProcessing(pugi::xml_node net, Weights* weights,
                              Model* model) {
  const pugi::xml_node xml = net.child("pre-process");
  if (!xml) return absl::OkStatus();
  return Annotate(ReadPreProcess(xml, weights, model), LocationOf(xml));
}

}  // namespace dovetail::ir
