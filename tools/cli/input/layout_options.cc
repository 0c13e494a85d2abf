#include "dovetail/tools/cli/input/layout_options.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/preprocess/layout.h"
#include "dovetail/core/preprocess/preprocessor.h"

namespace dovetail::cli {
namespace {

constexpr char kInputs[] = "layout", kOutputs[] = "output-layout";

// "0=NHWC:NCHW".
struct LayoutChoice {
  int port = 0;
  std::string first, second;
};

// A number is an index, also where a tensor or layer has it as its name.
absl::StatusOr<int> FindPort(const Model& model, bool is_input,
                             const std::string& name) {
  const size_t count =
      is_input ? model.parameters().size() : model.results().size();
  int index;
  if (absl::SimpleAtoi(name, &index) && index >= 0 &&
      index < static_cast<int>(count)) {
    return index;
  }
  return is_input ? model.FindInput(name) : model.FindOutput(name);
}

absl::StatusOr<LayoutChoice> ParseChoice(const Model& model,
                                         absl::string_view flag,
                                         const std::string& text) {
  const bool is_input = flag == kInputs;
  const size_t equals = text.rfind('=');
  const std::vector<std::string> layouts = absl::StrSplit(
      equals == std::string::npos ? text : text.substr(equals + 1), ':');
  if (equals == std::string::npos || equals == 0 || layouts.size() != 2) {
    return InvalidArgument(
        "--", flag, "=", text, ": want --", flag,
        is_input ? "=INPUT=GIVEN:MODEL, as in 0=NHWC:NCHW"
                 : "=OUTPUT=MODEL:WANTED, as in 0=NCHW:NHWC");
  }
  for (const std::string& layout : layouts) {
    DOVETAIL_RETURN_IF_ERROR(Annotate(Layout::Parse(layout).status(),
                                      absl::StrCat("--", flag, "=", text)));
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const int port, FindPort(model, is_input, text.substr(0, equals)));
  return LayoutChoice{port, layouts[0], layouts[1]};
}

absl::StatusOr<std::vector<LayoutChoice>> ChoicesOf(const Arguments& arguments,
                                                    const Model& model,
                                                    absl::string_view flag) {
  std::vector<LayoutChoice> choices;
  std::set<int> ports;
  for (const std::string& text : arguments.GetAll(flag)) {
    DOVETAIL_ASSIGN_OR_RETURN(choices.emplace_back(),
                              ParseChoice(model, flag, text));
    if (!ports.insert(choices.back().port).second) {
      return InvalidArgument("--", flag, "=", text, ": it is given twice");
    }
  }
  return choices;
}

}  // namespace

std::vector<Flag> LayoutFlags() {
  return {
      {kInputs, "INPUT=GIVEN:MODEL",
       "the input is given in a layout that the model does not take, as in "
       "0=NHWC:NCHW",
       true},
      {kOutputs, "OUTPUT=MODEL:WANTED", "the same for an output", true},
  };
}

absl::Status ApplyLayouts(const Arguments& arguments, Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const auto inputs,
                            ChoicesOf(arguments, model, kInputs));
  DOVETAIL_ASSIGN_OR_RETURN(const auto outputs,
                            ChoicesOf(arguments, model, kOutputs));
  if (inputs.empty() && outputs.empty()) return absl::OkStatus();
  Preprocessor preprocessor(std::move(model));
  for (const LayoutChoice& choice : inputs) {
    PortPreprocess& port = preprocessor.input(choice.port);
    port.tensor().set_layout(choice.first);
    port.model().set_layout(choice.second);
  }
  for (const LayoutChoice& choice : outputs) {
    PortPreprocess& port = preprocessor.output(choice.port);
    port.model().set_layout(choice.first);
    port.tensor().set_layout(choice.second);
  }
  DOVETAIL_ASSIGN_OR_RETURN(model, std::move(preprocessor).Build());
  return absl::OkStatus();
}

}  // namespace dovetail::cli
