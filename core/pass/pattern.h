// Small patterns of connected operations, to find what a pass rewrites:
//
//   // (x * constant) + constant, the product read by nobody else
//   const Pattern scale_shift = Op("Add", {
//       Op("Multiply", {AnyValue().As("x"), AnyConstant().As("scale")})
//           .UsedOnce(),
//       AnyConstant().As("shift")});
//   if (auto match = scale_shift.MatchAt(node->output())) … match->at("x")
//
// Inputs of operations that commute are tried in both orders, and the first
// order in which they fit is taken.
#ifndef DOVETAIL_CORE_PASS_PATTERN_H_
#define DOVETAIL_CORE_PASS_PATTERN_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// The values that took a pattern's places.
class Match {
 public:
  // The value matched by the whole pattern, and the node that gives it.
  Value root() const { return root_; }
  Node* node() const { return root_.node; }
  // The value of that name; the empty Value when the pattern has no such name
  // or matched without it (one side of OneOf).
  Value at(absl::string_view name) const;

 private:
  friend class Pattern;
  Value root_;
  std::map<std::string, Value> values_;
};

// Immutable and cheap to copy; the methods give changed copies.
class Pattern {
 public:
  // Under which name Match has the value. The same name twice stands for the
  // same value twice: Op("Multiply", {AnyValue().As("x"), AnyValue().As("x")}).
  Pattern As(absl::string_view name) const;
  // Only values that nobody else reads.
  Pattern UsedOnce() const;
  // Only values for which `holds`, which is asked when all else fits.
  Pattern Where(std::function<bool(Value)> holds) const;

  // How `value` fits the pattern; nothing when it does not.
  std::optional<Match> MatchAt(Value value) const;

 private:
  friend Pattern AnyValue();
  friend Pattern Op(absl::string_view type, std::vector<Pattern> inputs);
  friend Pattern Op(absl::string_view type);
  friend Pattern OneOf(std::vector<Pattern> choices);
  struct Rules;

  explicit Pattern(std::shared_ptr<const Rules> rules)
      : rules_(std::move(rules)) {}
  bool Fits(Value value, Match& match) const;
  bool FitsRules(Value value, Match& match) const;
  static bool FitsInputs(const std::vector<Pattern>& inputs, const Node& node,
                         Match& match);

  std::shared_ptr<const Rules> rules_;
};

// Any value.
Pattern AnyValue();
// An output of an operation of that type, in any version, with exactly these
// inputs; or with any.
Pattern Op(absl::string_view type, std::vector<Pattern> inputs);
Pattern Op(absl::string_view type);
// The value of a constant.
Pattern AnyConstant();
// The first of `choices` that fits.
Pattern OneOf(std::vector<Pattern> choices);

// Whether a op b is b op a for that operation.
bool Commutes(absl::string_view type);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_PATTERN_H_
