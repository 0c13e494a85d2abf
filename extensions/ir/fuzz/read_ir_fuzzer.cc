// Entry of libFuzzer: see BUILD.bazel for how to run it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "dovetail/extensions/ir/fuzz/one_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string broken = dovetail::ir::TryOneInput(
      {reinterpret_cast<const char*>(data), size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  __builtin_trap();
}
