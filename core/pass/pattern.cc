#include "dovetail/core/pass/pattern.h"

#include <algorithm>
#include <array>

namespace dovetail {

struct Pattern::Rules {
  std::string name;
  std::string type;  // empty: any operation
  std::optional<std::vector<Pattern>> inputs;
  std::vector<Pattern> choices;
  bool used_once = false;
  std::function<bool(Value)> holds;
};

Value Match::at(absl::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? Value{} : found->second;
}

Pattern Pattern::As(absl::string_view name) const {
  auto rules = std::make_shared<Rules>(*rules_);
  rules->name = std::string(name);
  return Pattern(std::move(rules));
}

Pattern Pattern::UsedOnce() const {
  auto rules = std::make_shared<Rules>(*rules_);
  rules->used_once = true;
  return Pattern(std::move(rules));
}

Pattern Pattern::Where(std::function<bool(Value)> holds) const {
  auto rules = std::make_shared<Rules>(*rules_);
  rules->holds = std::move(holds);
  return Pattern(std::move(rules));
}

std::optional<Match> Pattern::MatchAt(Value value) const {
  Match match;
  if (!value || !Fits(value, match)) return std::nullopt;
  match.root_ = value;
  return match;
}

// What did not fit leaves no names behind.
bool Pattern::Fits(Value value, Match& match) const {
  const std::map<std::string, Value> before = match.values_;
  if (FitsRules(value, match)) return true;
  match.values_ = before;
  return false;
}

bool Pattern::FitsRules(Value value, Match& match) const {
  const Rules& rules = *rules_;
  if (!value) return false;
  if (!rules.type.empty() && !value.node->Is(rules.type)) return false;
  if (rules.used_once && value.port().uses.size() != 1) return false;
  if (rules.inputs.has_value() &&
      !FitsInputs(*rules.inputs, *value.node, match)) {
    return false;
  }
  if (!rules.choices.empty() &&
      std::none_of(rules.choices.begin(), rules.choices.end(),
                   [&](const Pattern& p) { return p.Fits(value, match); })) {
    return false;
  }
  if (!rules.name.empty() &&
      match.values_.emplace(rules.name, value).first->second != value) {
    return false;
  }
  return rules.holds == nullptr || rules.holds(value);
}

bool Pattern::FitsInputs(const std::vector<Pattern>& inputs, const Node& node,
                         Match& match) {
  if (node.input_count() != static_cast<int>(inputs.size())) return false;
  const std::map<std::string, Value> before = match.values_;
  bool fits = true;
  for (size_t i = 0; i < inputs.size() && fits; ++i) {
    fits = inputs[i].Fits(node.input(static_cast<int>(i)), match);
  }
  if (fits || inputs.size() != 2 || !Commutes(node.op().type)) return fits;
  match.values_ = before;
  return inputs[0].Fits(node.input(1), match) &&
         inputs[1].Fits(node.input(0), match);
}

Pattern AnyValue() { return Pattern(std::make_shared<Pattern::Rules>()); }

Pattern Op(absl::string_view type) {
  auto rules = std::make_shared<Pattern::Rules>();
  rules->type = std::string(type);
  return Pattern(std::move(rules));
}

Pattern Op(absl::string_view type, std::vector<Pattern> inputs) {
  auto rules = std::make_shared<Pattern::Rules>();
  rules->type = std::string(type);
  rules->inputs = std::move(inputs);
  return Pattern(std::move(rules));
}

Pattern AnyConstant() { return Op("Constant"); }

Pattern OneOf(std::vector<Pattern> choices) {
  auto rules = std::make_shared<Pattern::Rules>();
  rules->choices = std::move(choices);
  return Pattern(std::move(rules));
}

bool Commutes(absl::string_view type) {
  static constexpr std::array<absl::string_view, 12> kTypes = {
      "Add",        "Multiply",   "Maximum",          "Minimum",
      "Equal",      "NotEqual",   "LogicalAnd",       "LogicalOr",
      "LogicalXor", "BitwiseAnd", "BitwiseOr",        "BitwiseXor"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace dovetail
