// Writes rt_info the way that reader/rt_info.h reads it.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_RT_INFO_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_RT_INFO_WRITER_H_

#include "dovetail/core/graph/rt_info.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Appends <rt_info> with the entries of a node or port to its element, unless
// there are none.
void WriteRtInfo(const RtInfo& info, pugi::xml_node owner);

// Appends <rt_info> with the whole tree to <net>, also when it is empty.
void WriteModelRtInfo(const RtInfo& info, pugi::xml_node net);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_RT_INFO_WRITER_H_
