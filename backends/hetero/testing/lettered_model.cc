#include "dovetail/backends/hetero/testing/lettered_model.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/text/parse.h"

namespace dovetail::hetero {

absl::StatusOr<LetteredModel> ParseLettered(absl::string_view shape,
                                            absl::string_view layers) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Model model,
      ParseModelText(absl::StrCat("%x = Parameter-0() {shape: [", shape,
                                  "], element_type: f32}\n", layers)));
  Assignment devices;
  for (const auto& node : model.nodes()) {
    if (node->op().Has(kStructural)) continue;
    devices[node.get()] = std::string(1, node->name().back());
  }
  return LetteredModel{std::move(model), std::move(devices)};
}

std::string PartsText(const std::vector<Part>& parts) {
  const auto add_layer = [](std::string* text, const Node* node) {
    absl::StrAppend(text, node->name().substr(0, node->name().find('_')));
  };
  return absl::StrJoin(parts, " ", [&](std::string* text, const Part& part) {
    absl::StrAppend(text, part.device, "(",
                    absl::StrJoin(part.nodes, " ", add_layer), ")");
  });
}

}  // namespace dovetail::hetero
