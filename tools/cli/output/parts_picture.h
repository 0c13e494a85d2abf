// Pictures of how a device cuts a model into parts.
#ifndef DOVETAIL_TOOLS_CLI_OUTPUT_PARTS_PICTURE_H_
#define DOVETAIL_TOOLS_CLI_OUTPUT_PARTS_PICTURE_H_

#include <string>

#include "dovetail/core/graph/dot.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/query_result.h"

namespace dovetail::cli {

// The parts that a query of the model tells of, for ModelDot; none where the
// device does not cut.
DotParts PartsOf(const Model& model, const QueryResult& layers);

// An SVG: a box a part, from top to bottom in the order in which they run, as
// high as it has layers, and an arrow for what one gives another, with its
// bytes. Layers of no part are one box.
std::string PartsSvg(const Model& model, const QueryResult& layers);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_OUTPUT_PARTS_PICTURE_H_
