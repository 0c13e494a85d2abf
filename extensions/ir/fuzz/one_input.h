// One input of a fuzzer, tried; shared by the mutation test, which runs
// with all others, and the libFuzzer target.
#ifndef DOVETAIL_EXTENSIONS_IR_FUZZ_ONE_INPUT_H_
#define DOVETAIL_EXTENSIONS_IR_FUZZ_ONE_INPUT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::ir {

// `data` is the XML, a NUL (which XML cannot contain), and the weights. Reads
// it, and what could be read it checks, prints, writes and reads again, which
// has to give an equal model. Answers which of these promises was broken, else
// nothing.
std::string TryOneInput(absl::string_view data);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_FUZZ_ONE_INPUT_H_
