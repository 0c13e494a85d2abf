// The <rt_info> of layers, ports and models.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_RT_INFO_H_
#define DOVETAIL_EXTENSIONS_IR_READER_RT_INFO_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/rt_info.h"
#include "dovetail/extensions/ir/reader/options.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Adds the entries of the <rt_info> below a layer or port, when there is one:
// <attribute name="a" version="0" value="x"/> becomes {"a_0": {"value": "x"}};
// with version="" it becomes {"a": "x"}. An entry whose version is not a number
// is left out. kInvalidArgument for one without name or version, or two of one
// name and version.
absl::Status ReadRtInfo(pugi::xml_node owner, RtInfo* info);

// Adds what <data> of a layer holds although it is no attribute of its
// operation: PrimitivesPriority and alt_width.
void ReadLegacyRtInfo(pugi::xml_node data, RtInfo* info);

// Adds the tree below <rt_info> of <net>; where there is none, <meta_data> and
// <quantization_parameters>, as files before version 11 have them.
// kInvalidArgument when it is nested too deep.
absl::Status ReadModelRtInfo(pugi::xml_node net, const ReadLimits& limits,
                             RtInfo* info);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_RT_INFO_H_
