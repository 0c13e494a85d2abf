#include "dovetail/backends/gpu/codegen/transpose_text.h"

#include "absl/strings/str_cat.h"

namespace dovetail::gpu {

// Four steps: taking the vectors for one array of 256 elements, each step moves
// the lowest bit of an element's number to the top.
std::string TransposeText(absl::string_view type) {
  std::string text;
  for (int step = 0; step < 4; ++step) {
    const std::string from(1, static_cast<char>('a' + step));
    const std::string to(1, static_cast<char>('b' + step));
    for (int i = 0; i < 16; ++i) {
      const int pair = i % 8 * 2;
      const char* half = i < 8 ? ".even" : ".odd";
      absl::StrAppend(&text, "    const ", type, " ", to, i, " = (", type, ")(",
                      from, pair, half, ", ", from, pair + 1, half, ");\n");
    }
  }
  return text;
}

}  // namespace dovetail::gpu
