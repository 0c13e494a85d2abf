#include "dovetail/testing/graphs/attention_model.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::string ParameterLine(const std::string& id, const std::string& shape,
                          const std::string& type) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

std::string AttentionModel(const AttentionCase& attention) {
  return absl::StrCat(
      ParameterLine("%q", attention.q), ParameterLine("%k", attention.k),
      ParameterLine("%v", attention.v), attention.more,
      "%y = ScaledDotProductAttention-13(%q, %k, %v", attention.operands,
      ") {causal: ", attention.causal ? "true" : "false",
      "}\n%r = Result-0(%y) {}\n");
}

}  // namespace dovetail
