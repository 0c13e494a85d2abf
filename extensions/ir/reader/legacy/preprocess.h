// The <pre-process> of files before version 11: a mean to subtract from an
// input, and a scale to divide it by.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_LEGACY_PREPROCESS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_LEGACY_PREPROCESS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader/constants.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Puts a Subtract and a Divide behind the input that <pre-process> below `net`
// names, or behind the first of rank 4 when it names none: by a mean value or a
// mean image, and a scale, of each channel. A channel without a number in "id"
// follows the one before it; one without a scale has 1. Does nothing without
// such an element. kInvalidArgument says what is wrong in it. Files of 2021 mean
// it so; OpenVINO's later readers leave the scale out.
absl::Status AddPreProcessing(pugi::xml_node net, Weights* weights,
                              Model* model);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_LEGACY_PREPROCESS_H_
