// Small well-formed IRs to start mutations from.
#ifndef DOVETAIL_EXTENSIONS_IR_FUZZ_SEEDS_H_
#define DOVETAIL_EXTENSIONS_IR_FUZZ_SEEDS_H_

#include <string>
#include <vector>

namespace dovetail::ir {

// Each is XML, NUL, weights, as TryOneInput takes it. Together they use every
// part of the format: constants of all kinds, bodies, variables, rt_info,
// tensor names, pre-processing, and operations of many families.
std::vector<std::string> FuzzSeeds();

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_FUZZ_SEEDS_H_
