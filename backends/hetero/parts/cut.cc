#include "dovetail/backends/hetero/parts/cut.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/add_convert.h"
#include "dovetail/core/ops/structural/extract_model.h"
#include "dovetail/core/ops/structural/known_tensor.h"

namespace dovetail::hetero {
namespace {

bool IsConstant(Value value) {
  return value.node->As<ConstantAttributes>() != nullptr;
}

// Whether parts other than its own have the value as a constant: a device that
// lowers a part knows then what it knew in the whole model, such as the axes
// that a reduction's decomposition asks for.
bool IsKnown(Value value) {
  return !value.node->Is("Parameter") &&
         KnownIntegerTensor(value.port()).has_value();
}

// What crosses the borders of one part.
struct Border {
  std::vector<Value> inputs, outputs;
};

class Cutter {
 public:
  Cutter(const Model& model, const std::vector<Part>& parts,
         absl::string_view device)
      : model_(model), parts_(parts), borders_(parts.size()) {
    for (size_t p = 0; p < parts.size(); ++p) {
      members_.emplace_back(parts[p].nodes.begin(), parts[p].nodes.end());
      // Copies come after what they are copies of.
      for (const Node* node : parts[p].nodes) part_of_.emplace(node, p);
    }
    for (size_t i = 0; i < model.parameters().size(); ++i) {
      parameter_[model.parameters()[i]] = static_cast<int>(i);
    }
    const auto is_computed = [&](const Node* result) {
      return part_of_.count(result->input(0).node) > 0;
    };
    if (!std::all_of(model.results().begin(), model.results().end(),
                     is_computed)) {
      parts_.push_back({std::string(device), {}});
      borders_.emplace_back();
      members_.emplace_back();
    }
  }

  absl::StatusOr<CutResult> Cut() {
    FindInputs();
    CutResult cut;
    for (const Node* result : model_.results()) {
      cut.wiring.results.push_back(AddResult(result->input(0)));
    }
    for (size_t p = 0; p < parts_.size(); ++p) {
      PartWiring wiring = {parts_[p].device, {}};
      for (const Value input : borders_[p].inputs) {
        wiring.inputs.push_back(SourceOf(input));
      }
      cut.wiring.parts.push_back(std::move(wiring));
    }
    for (size_t p = 0; p < parts_.size(); ++p) {
      DOVETAIL_ASSIGN_OR_RETURN(
          std::unique_ptr<Model> part,
          ExtractModel(model_, borders_[p].inputs, parts_[p].nodes,
                       borders_[p].outputs));
      part->set_name(absl::StrCat(model_.name(), " part ", p));
      DOVETAIL_RETURN_IF_ERROR(WidenBorders(p, cut.wiring, *part));
      cut.models.push_back(std::move(part));
    }
    return cut;
  }

 private:
  static void AddOnce(Value value, std::vector<Value>& list) {
    if (std::find(list.begin(), list.end(), value) == list.end()) {
      list.push_back(value);
    }
  }

  void FindInputs() {
    for (size_t p = 0; p < parts_.size(); ++p) {
      for (const Node* node : parts_[p].nodes) {
        for (const Value input : node->inputs()) {
          if (!input || IsConstant(input) || IsOf(input, p)) continue;
          if (IsKnown(input)) continue;
          AddOnce(input, borders_[p].inputs);
          SourceOf(input);
        }
      }
    }
  }

  bool IsOf(Value value, size_t part) const {
    return members_[part].count(value.node) > 0;
  }

  // Of a value that parts read: an output of the part that computes it.
  Source SourceOf(Value value) {
    if (const auto it = parameter_.find(value.node); it != parameter_.end()) {
      return {-1, it->second};
    }
    const size_t part = part_of_.at(value.node);
    std::vector<Value>& outputs = borders_[part].outputs;
    const auto [it, is_new] = crossing_.emplace(
        std::pair(value.node, value.index), static_cast<int>(outputs.size()));
    if (is_new) outputs.push_back(value);
    return {static_cast<int>(part), it->second};
  }

  // An output for this result alone, as it lies in the user's tensor.
  Source AddResult(Value value) {
    const auto it = part_of_.find(value.node);
    const size_t part = it != part_of_.end() ? it->second : parts_.size() - 1;
    if (it == part_of_.end() && !IsConstant(value)) {
      AddOnce(value, borders_[part].inputs);
    }
    std::vector<Value>& outputs = borders_[part].outputs;
    outputs.push_back(value);
    return {static_cast<int>(part), static_cast<int>(outputs.size()) - 1};
  }

  // Floats of 16 bits go from part to part as f32: devices that compute in f32
  // do not round there, as they would not within a part, and take out both
  // conversions.
  absl::Status WidenBorders(size_t p, const Wiring& wiring, Model& part) const {
    const std::vector<Source>& sources = wiring.parts[p].inputs;
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].part < 0) continue;
      DOVETAIL_RETURN_IF_ERROR(WidenInput(*part.parameters()[i], part));
    }
    for (size_t i = 0; i < borders_[p].outputs.size(); ++i) {
      if (!IsCrossing(p, static_cast<int>(i))) continue;
      DOVETAIL_RETURN_IF_ERROR(WidenOutput(*part.results()[i], part));
    }
    return absl::OkStatus();
  }

  // Whether other parts read the output, and no result of the whole model.
  bool IsCrossing(size_t part, int output) const {
    return std::any_of(crossing_.begin(), crossing_.end(),
                       [&](const auto& crossing) {
                         return part_of_.at(crossing.first.first) == part &&
                                crossing.second == output;
                       });
  }

  static bool IsNarrow(ElementType type) {
    return type == ElementType::kF16 || type == ElementType::kBf16;
  }

  static absl::Status WidenInput(Node& parameter, Model& part) {
    const ElementType type = parameter.port().type;
    if (!IsNarrow(type)) return absl::OkStatus();
    const std::vector<Use> uses = parameter.port().uses;
    auto wide = std::make_unique<ParameterAttributes>(
        *parameter.As<ParameterAttributes>());
    wide->element_type = ElementType::kF32;
    parameter.set_attributes(std::move(wide));
    DOVETAIL_RETURN_IF_ERROR(parameter.Infer());
    DOVETAIL_ASSIGN_OR_RETURN(
        Node* const narrowed,
        AddConvert(part, parameter.output(), type,
                   absl::StrCat(parameter.name(), "/narrowed")));
    for (const Use& use : uses) {
      use.node->SetInput(use.input, narrowed->output());
    }
    return absl::OkStatus();
  }

  static absl::Status WidenOutput(Node& result, Model& part) {
    const Value value = result.input(0);
    if (!IsNarrow(value.type())) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(
        Node* const widened,
        AddConvert(part, value, ElementType::kF32,
                   absl::StrCat(value.node->name(), "/widened")));
    result.SetInput(0, widened->output());
    return result.Infer();
  }

  const Model& model_;
  std::vector<Part> parts_;
  std::vector<Border> borders_;
  std::vector<std::unordered_set<const Node*>> members_;  // by part
  std::unordered_map<const Node*, size_t> part_of_;
  std::unordered_map<const Node*, int> parameter_;
  std::map<std::pair<const Node*, int>, int> crossing_;
};

}  // namespace

absl::StatusOr<CutResult> CutIntoParts(const Model& model,
                                       const std::vector<Part>& parts,
                                       absl::string_view device) {
  return Cutter(model, parts, device).Cut();
}

}  // namespace dovetail::hetero
