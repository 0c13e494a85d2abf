// Operations and attributes from texts, so that tests read like an IR.
#ifndef DOVETAIL_CORE_OPS_TESTING_TEXT_ATTRIBUTES_H_
#define DOVETAIL_CORE_OPS_TESTING_TEXT_ATTRIBUTES_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

// By name: {{"axis", "1"}, {"mode", "linear"}, {"pads_begin", "0,0"}}.
using TextAttributes = std::map<std::string, std::string>;

// The row of `ops` called "Softmax-8". kNotFound when there is none.
absl::StatusOr<const OpInfo*> FindOpByName(absl::Span<const OpInfo> ops,
                                           absl::string_view name);

// The operation's attributes with these values, the rest by default.
// kInvalidArgument for a name that it has not, or a text that does not parse.
absl::StatusOr<std::unique_ptr<Attributes>> AttributesFromText(
    const OpInfo& op, const TextAttributes& texts);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TESTING_TEXT_ATTRIBUTES_H_
