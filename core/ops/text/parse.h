// Reads the text form of a model (core/graph/text.h): for tests, which can then
// be data, and for models typed in by hand.
//
// Less is needed than what the printer writes: the first line, outputs' types
// and friendly names may be left out, and a node's number may be any word (%x).
// Where types are given, they have to be what inference finds.
#ifndef DOVETAIL_CORE_OPS_TEXT_PARSE_H_
#define DOVETAIL_CORE_OPS_TEXT_PARSE_H_

#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

// kInvalidArgument names the line and what is wrong with it; kNotFound an
// operation that does not exist. An operation without inference has the outputs
// that the text gives.
absl::StatusOr<Model> ParseModelText(absl::string_view text);

// The same with other operations than those of op_table.h. `find` answers null
// for what there is not.
using FindOpFn =
    std::function<const OpInfo*(absl::string_view type, int version)>;
absl::StatusOr<Model> ParseModelText(absl::string_view text,
                                     const FindOpFn& find);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TEXT_PARSE_H_
