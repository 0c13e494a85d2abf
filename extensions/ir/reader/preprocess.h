// The <pre-process> of files before version 11: a mean to subtract from an
// input.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_PREPROCESS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_PREPROCESS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader/constants.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Puts a Subtract behind the input that <pre-process> below `net` names, or
// behind the first of rank 4 when it names none: a mean value or a mean image
// for each channel. Scales are left alone, as OpenVINO leaves them. Does
// nothing without such an element. kInvalidArgument says what is wrong in it.
absl::Status AddPreProcessing(pugi::xml_node net, Weights* weights,
                              Model* model);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_PREPROCESS_H_
