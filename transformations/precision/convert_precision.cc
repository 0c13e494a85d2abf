#include "dovetail/transformations/precision/convert_precision.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/add_convert.h"
#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/core/pass/for_each_model.h"

namespace dovetail {
namespace {

// Replaces types and tensors among the attributes that it is shown.
class TypeReplacer : public EachAttribute<TypeReplacer> {
 public:
  TypeReplacer(const std::set<ElementType>& from, ElementType to)
      : from_(from), to_(to) {}

  template <typename T>
  void Each(absl::string_view, const T&) {}
  void Each(absl::string_view, ElementType& value) {
    if (from_.count(value) == 0) return;
    value = to_;
    changed_ = true;
  }
  void Each(absl::string_view, Tensor& value) {
    if (!value.has_data() || from_.count(value.type()) == 0) return;
    absl::StatusOr<Tensor> converted = ConvertTensor(value, to_);
    status_.Update(converted.status());
    if (!converted.ok()) return;
    value = *std::move(converted);
    changed_ = true;
  }

  bool changed() const { return changed_; }
  const absl::Status& status() const { return status_; }

 protected:
  void VisitEnum(absl::string_view, int&,
                 absl::Span<const EnumName>) override {}

 private:
  const std::set<ElementType>& from_;
  ElementType to_;
  bool changed_ = false;
  absl::Status status_;
};

// A Convert that stands for the same layers as what it converts.
absl::StatusOr<Node*> Converted(Model& model, Value value, ElementType type,
                                absl::string_view name) {
  DOVETAIL_ASSIGN_OR_RETURN(Node * convert,
                            AddConvert(model, value, type, name));
  SetFusedNames(*convert, FusedNames(*value.node));
  return convert;
}

// The readers of a value that are results, or those that are not.
std::vector<Use> UsesBy(Value value, bool results) {
  std::vector<Use> uses;
  for (const Use& use : value.port().uses) {
    if (use.node->Is("Result") == results) uses.push_back(use);
  }
  return uses;
}

bool IsConvertTo(const Node& node, ElementType type) {
  const auto* attributes = node.As<ConvertAttributes>();
  return node.Is("Convert") && attributes != nullptr &&
         attributes->destination_type == type;
}

// A conversion at a result, as this pass puts it there.
bool IsAtResult(const Node& node) {
  return node.Is("Convert") && node.has_uses() &&
         UsesBy(Value{const_cast<Node*>(&node), 0}, false).empty();
}

// Whether the numbers that an operation gives depend on its type by more than
// their precision: random bits are cut up by the size of an element.
bool KeepsType(const Node& node) { return node.Is("RandomUniform"); }

// Puts a conversion between a parameter and what computes with it, unless there
// is one. A result that only repeats the parameter goes on reading that, and so
// does what keeps its type.
absl::Status ConvertParameter(Model& model, Node& parameter, ElementType to) {
  std::vector<Use> readers = UsesBy(parameter.output(), false);
  readers.erase(std::remove_if(readers.begin(), readers.end(),
                               [to](const Use& use) {
                                 return IsConvertTo(*use.node, to) ||
                                        KeepsType(*use.node);
                               }),
                readers.end());
  if (readers.empty()) return absl::OkStatus();
  const std::string name =
      absl::StrCat(parameter.name(), "/", ElementTypeName(to));
  DOVETAIL_ASSIGN_OR_RETURN(
      Node * convert, Converted(model, parameter.output(), to, name));
  for (const Use& use : readers) {
    use.node->SetInput(use.input, convert->output());
  }
  return absl::OkStatus();
}

// Puts a conversion back between a value and the results that read it; users
// find them by the names that the value had.
absl::Status ConvertResults(Model& model, Value value, ElementType type) {
  const std::string name =
      absl::StrCat(value.node->name(), "/", ElementTypeName(type));
  const std::vector<Use> results = UsesBy(value, true);
  DOVETAIL_ASSIGN_OR_RETURN(Node * convert,
                            Converted(model, value, type, name));
  std::set<std::string>& names = value.port().names;
  if (names.empty()) names.insert(value.node->name());
  convert->port().names.swap(names);
  for (const Use& use : results) {
    use.node->SetInput(use.input, convert->output());
  }
  return absl::OkStatus();
}

// A conversion in front of such nodes, as this pass puts it there.
bool IsBeforeKept(const Node& node) {
  if (!node.Is("Convert")) return false;
  const std::vector<Use>& uses = node.port().uses;
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(),
                     [](const Use& use) { return KeepsType(*use.node); });
}

// Weights that are stored so, and are to stay so.
bool IsKeptConstant(const Node& node) {
  if (!node.Is("Constant") || !node.has_uses()) return false;
  const std::vector<Use>& uses = node.port().uses;
  return std::all_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.node->Is("Convert") &&
           use.node->rt_info().Find({"DisableConstantFolding_0"}) != nullptr;
  });
}

// Puts conversions around a node that keeps its type `own` among others of type
// `to`. Results of the outer model go on reading the node itself, and that
// the outer model's parameters.
absl::Status ConvertAround(Model& model, Node& node, ElementType own,
                           ElementType to, bool in_body) {
  for (int i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (input.type() != own || IsConvertTo(*input.node, own)) continue;
    if (!in_body && input.node->Is("Parameter")) continue;
    const std::string name = absl::StrCat(node.name(), "/input_", i);
    DOVETAIL_ASSIGN_OR_RETURN(Node * convert,
                              Converted(model, input, own, name));
    node.SetInput(i, convert->output());
  }
  std::vector<Use> readers = UsesBy(node.output(), false);
  if (in_body) {
    const std::vector<Use> results = UsesBy(node.output(), true);
    readers.insert(readers.end(), results.begin(), results.end());
  }
  const bool done =
      std::all_of(readers.begin(), readers.end(), [to](const Use& use) {
        return IsConvertTo(*use.node, to);
      });
  if (done) return absl::OkStatus();
  const std::string name = absl::StrCat(node.name(), "/", ElementTypeName(to));
  DOVETAIL_ASSIGN_OR_RETURN(Node * convert,
                            Converted(model, node.output(), to, name));
  for (const Use& use : readers) {
    use.node->SetInput(use.input, convert->output());
  }
  return absl::OkStatus();
}

class Converter {
 public:
  Converter(Model& model, const std::set<ElementType>& from, ElementType to)
      : model_(model), from_(from), to_(to) {}

  absl::StatusOr<bool> Run() {
    const std::map<Value, ElementType> outputs = OutputTypes();
    for (Node* parameter : model_.parameters()) {
      if (from_.count(parameter->port().type) == 0) continue;
      const size_t before = model_.node_count();
      DOVETAIL_RETURN_IF_ERROR(ConvertParameter(model_, *parameter, to_));
      changed_ |= model_.node_count() != before;
    }
    DOVETAIL_RETURN_IF_ERROR(
        ForEachModel(model_, [this](Model& each) {
          return ReplaceTypes(each);
        }).status());
    if (!changed_) return false;
    DOVETAIL_RETURN_IF_ERROR(model_.Infer());
    for (const auto& [value, type] : outputs) {
      if (value.type() == type) continue;
      DOVETAIL_RETURN_IF_ERROR(ConvertResults(model_, value, type));
    }
    return true;
  }

 private:
  // The types of the model's outputs that are to stay.
  std::map<Value, ElementType> OutputTypes() const {
    std::map<Value, ElementType> types;
    for (const Node* result : model_.results()) {
      const Value value = result->input(0);
      if (from_.count(value.type()) != 0) types[value] = value.type();
    }
    return types;
  }

  absl::StatusOr<bool> ReplaceTypes(Model& model) {
    std::vector<Node*> kept;
    for (const auto& node : model.nodes()) {
      if (KeepsType(*node) && from_.count(node->port().type) != 0) {
        kept.push_back(node.get());
        continue;
      }
      const bool at_border = &model == &model_ &&
                             (node->Is("Parameter") || IsAtResult(*node));
      if (at_border || IsBeforeKept(*node) || IsKeptConstant(*node)) continue;
      TypeReplacer replacer(from_, to_);
      node->attributes().Visit(replacer);
      if (!replacer.status().ok()) {
        return Annotate(replacer.status(), node->Describe());
      }
      changed_ |= replacer.changed();
    }
    // The types of ports are still the old ones.
    const size_t before = model.node_count();
    for (Node* node : kept) {
      DOVETAIL_RETURN_IF_ERROR(ConvertAround(model, *node, node->port().type,
                                             to_, &model != &model_));
    }
    changed_ |= model.node_count() != before;
    return changed_;
  }

  Model& model_;
  const std::set<ElementType>& from_;
  ElementType to_;
  bool changed_ = false;
};

}  // namespace

absl::StatusOr<bool> ConvertPrecision::Run(Model& model) {
  return Converter(model, from_, to_).Run();
}

}  // namespace dovetail
