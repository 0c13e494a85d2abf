#include "dovetail/extensions/ir/reader/preprocess.h"

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "dovetail/extensions/ir/reader/values.h"

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

// Means by channel: one value, or an image in the weights.
struct Means {
  std::map<int64_t, double> values;
  std::map<int64_t, Tensor> images;
};

absl::Status ReadChannel(pugi::xml_node channel, ElementType type,
                         const Shape& image, Weights* weights, Means* means) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t id, RequireInt(channel, "id"));
  const pugi::xml_node mean = channel.child("mean");
  if (!mean) return absl::OkStatus();
  bool is_new = true;
  if (const pugi::xml_attribute value = mean.attribute("value")) {
    absl::StatusOr<double> number = ParseFloat(value.value());
    if (!number.ok()) {
      return Annotate(number.status(),
                      absl::StrCat(LocationOf(mean), ": attribute 'value'"));
    }
    is_new = means->values.emplace(id, *number).second;
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t offset, RequireInt(mean, "offset"));
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, RequireInt(mean, "size"));
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              weights->ReadTensor(type, image, offset, size));
    is_new = means->images.emplace(id, std::move(tensor)).second;
  }
  if (is_new) return absl::OkStatus();
  return InvalidArgument(LocationOf(channel), ": channel ", id,
                         " is there twice");
}

// Channels 0 to n - 1, one after the other, as one tensor.
absl::StatusOr<Tensor> JoinImages(const Means& means, ElementType type,
                                  const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor all, Tensor::Allocate(type, shape));
  auto* to = static_cast<char*>(all.mutable_raw_data());
  for (const auto& [id, image] : means.images) {
    std::memcpy(to, image.raw_data(), image.byte_size());
    to += image.byte_size();
  }
  return all;
}

absl::StatusOr<Tensor> JoinMeans(const Means& means, ElementType type,
                                 Shape shape) {
  const int64_t channels = shape[0];
  if (!means.values.empty() && !means.images.empty()) {
    return InvalidArgument("some channels have a mean value, some an image");
  }
  const auto count =
      static_cast<int64_t>(means.values.size() + means.images.size());
  const int64_t first = means.values.empty() ? means.images.begin()->first
                                             : means.values.begin()->first;
  const int64_t last = means.values.empty() ? means.images.rbegin()->first
                                            : means.values.rbegin()->first;
  if (count != channels || first != 0 || last != channels - 1) {
    return InvalidArgument("has means for ", count, " channels, ", first,
                           " to ", last, ", but the input has ", channels);
  }
  if (!means.images.empty()) return JoinImages(means, type, shape);
  for (int axis = 1; axis < shape.rank(); ++axis) shape[axis] = 1;
  std::vector<double> values;
  for (const auto& [id, value] : means.values) values.push_back(value);
  return Tensor::FromDoubles(type, shape, values);
}

// Everything that read the input now reads the difference. The tensor's names
// stay with the input.
absl::Status Subtract(Node* parameter, const Tensor& mean, Model* model) {
  const OpInfo* op = FindOp("Subtract-1");
  if (op == nullptr) return Unimplemented("there is no operation Subtract");
  const std::vector<Use> uses = parameter->port().uses;
  if (uses.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * constant,
      AddConstant(*model, mean, absl::StrCat(parameter->name(), "/mean")));
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * difference,
      model->Add(*op, {parameter->output(), constant->output()}, nullptr,
                 absl::StrCat(parameter->name(), "/subtract_mean")));
  for (const Use& use : uses)
    use.node->SetInput(use.input, difference->output());
  return absl::OkStatus();
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
  Means means;
  for (pugi::xml_node channel : xml.children("channel")) {
    DOVETAIL_RETURN_IF_ERROR(
        ReadChannel(channel, type, image, weights, &means));
  }
  if (means.values.empty() && means.images.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor mean, JoinMeans(means, type, shape));
  return Subtract(parameter, mean, model);
}

}  // namespace

absl::Status AddPreProcessing(pugi::xml_node net, Weights* weights,
                              Model* model) {
  const pugi::xml_node xml = net.child("pre-process");
  if (!xml) return absl::OkStatus();
  return Annotate(ReadPreProcess(xml, weights, model), LocationOf(xml));
}

}  // namespace dovetail::ir
