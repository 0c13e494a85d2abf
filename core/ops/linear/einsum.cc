#include "dovetail/core/ops/linear/einsum.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// Checks the characters of a subscript whose "..." is a '.' already.
absl::Status CheckSubscript(absl::string_view subscript,
                            absl::string_view equation) {
  for (char c : subscript) {
    if (!absl::ascii_isalpha(c) && c != '.') {
      return InvalidArgument("equation '", equation, "': '", subscript,
                             "' has the character '", std::string(1, c),
                             "', want letters and one '...'");
    }
  }
  if (std::count(subscript.begin(), subscript.end(), '.') > 1) {
    return InvalidArgument("equation '", equation, "': '", subscript,
                           "' has more than one '...'");
  }
  return absl::OkStatus();
}

std::string ImplicitOutput(const std::vector<std::string>& inputs) {
  std::map<char, int> counts;
  for (const std::string& input : inputs) {
    for (char c : input) ++counts[c];
  }
  std::string output;
  for (const auto& [c, count] : counts) {  // '.' comes before all letters
    if (c == '.' || count == 1) output += c;
  }
  return output;
}

absl::Status CheckOutput(const EinsumEquation& parsed,
                         absl::string_view equation) {
  DOVETAIL_RETURN_IF_ERROR(CheckSubscript(parsed.output, equation));
  for (char c : parsed.output) {
    if (std::count(parsed.output.begin(), parsed.output.end(), c) > 1) {
      return InvalidArgument("equation '", equation, "': the output has '",
                             std::string(1, c), "' twice");
    }
    if (c == '.') continue;
    const bool found = std::any_of(
        parsed.inputs.begin(), parsed.inputs.end(),
        [c](const std::string& input) {
          return input.find(c) != std::string::npos;
        });
    if (!found) {
      return InvalidArgument("equation '", equation, "': the output has '",
                             std::string(1, c), "', which no input has");
    }
  }
  return absl::OkStatus();
}

// Extents of all axes by number, from the inputs of known rank.
absl::StatusOr<std::map<int, Dimension>> ExtentsOf(
    const InferContext& context, const EinsumEquation& equation, int dots) {
  std::map<int, Dimension> extents;
  for (int i = 0; i < context.input_count(); ++i) {
    const PartialShape& shape = context.shape(i);
    if (!shape.rank_known()) continue;
    const std::vector<int> axes =
        EinsumAxes(equation.inputs[i], shape.rank(), dots);
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const auto [entry, is_new] = extents.emplace(axes[axis], shape[axis]);
      if (is_new) continue;
      const std::optional<PartialShape> both =
          BroadcastNumpy({entry->second}, {shape[axis]});
      if (!both.has_value()) {
        return context.Error("input ", i, " has shape ", shape.ToString(),
                             ", want extent ", axis, " to be 1 or ",
                             entry->second.ToString(), " by '",
                             equation.inputs[i], "'");
      }
      entry->second = (*both)[0];
    }
  }
  return extents;
}

// The number of axes of the longest ellipsis; nothing when it is in an input
// whose rank is not known.
absl::StatusOr<std::optional<int>> DotsOf(const InferContext& context,
                                          const EinsumEquation& equation) {
  int dots = 0;
  bool known = true;
  for (int i = 0; i < context.input_count(); ++i) {
    const std::string& subscript = equation.inputs[i];
    const bool has_dots = subscript.find('.') != std::string::npos;
    const int letters = static_cast<int>(subscript.size()) - has_dots;
    const PartialShape& shape = context.shape(i);
    if (!shape.rank_known()) {
      known = known && !has_dots;
      continue;
    }
    if (has_dots ? shape.rank() < letters : shape.rank() != letters) {
      return context.Error("input ", i, " has shape ", shape.ToString(),
                           ", want rank ", letters,
                           has_dots ? " or more" : "", " by '", subscript,
                           "'");
    }
    if (shape.rank() >= kMaxEinsumRank) {
      return context.Error("input ", i, " has rank ", shape.rank(),
                           ", want less than ", kMaxEinsumRank);
    }
    dots = std::max(dots, EinsumDots(subscript, shape.rank()));
  }
  if (!known) return std::nullopt;
  return dots;
}

}  // namespace

absl::StatusOr<EinsumEquation> EinsumEquation::Parse(absl::string_view text) {
  const std::string compact = absl::StrReplaceAll(text, {{" ", ""}});
  for (size_t at = compact.find('.'); at != std::string::npos;
       at = compact.find('.', at + 3)) {
    if (compact.compare(at, 3, "...") != 0) {
      return InvalidArgument("equation '", text,
                             "': an ellipsis is written '...'");
    }
  }
  const std::string short_dots = absl::StrReplaceAll(compact, {{"...", "."}});
  const std::vector<std::string> sides =
      absl::StrSplit(short_dots, absl::MaxSplits("->", 1));
  EinsumEquation equation;
  equation.inputs = absl::StrSplit(sides[0], ',');
  for (const std::string& input : equation.inputs) {
    DOVETAIL_RETURN_IF_ERROR(CheckSubscript(input, text));
  }
  equation.output =
      sides.size() > 1 ? sides[1] : ImplicitOutput(equation.inputs);
  DOVETAIL_RETURN_IF_ERROR(CheckOutput(equation, text));
  return equation;
}

int EinsumDots(absl::string_view subscript, int rank) {
  const bool has_dots = subscript.find('.') != absl::string_view::npos;
  return has_dots ? rank + 1 - static_cast<int>(subscript.size()) : 0;
}

std::vector<int> EinsumAxes(absl::string_view subscript, int rank, int dots) {
  std::vector<int> axes;
  for (char c : subscript) {
    if (c != '.') {
      axes.push_back(c);
      continue;
    }
    const int own = EinsumDots(subscript, rank);
    for (int i = 0; i < own; ++i) axes.push_back(dots - own + i);
  }
  return axes;
}

absl::Status InferEinsum(InferContext& context) {
  const std::string& text = context.attributes<EinsumAttributes>().equation;
  const absl::StatusOr<EinsumEquation> equation = EinsumEquation::Parse(text);
  if (!equation.ok()) return context.Error(equation.status().message());
  if (context.input_count() != static_cast<int>(equation->inputs.size())) {
    return context.Error("equation '", text, "' is for ",
                         equation->inputs.size(), " inputs, and there are ",
                         context.input_count());
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const ElementType type,
      RequireSameType(context, 0, context.input_count() - 1));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<int> dots,
                            DotsOf(context, *equation));
  PartialShape output;
  if (dots.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(auto extents,
                              ExtentsOf(context, *equation, *dots));
    const bool has_dots = equation->output.find('.') != std::string::npos;
    const int rank = static_cast<int>(equation->output.size()) +
                     (has_dots ? *dots - 1 : 0);
    output = PartialShape(std::vector<Dimension>{});
    for (int axis : EinsumAxes(equation->output, rank, *dots)) {
      output.push_back(extents[axis]);
    }
  }
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
