// Prints a line for each level of instructions: its name, and whether this
// process may use it ("usable"), uses it ("own": its greatest one), or not
// ("lacking").
#include <cstdio>
#include <string>

#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/testing/levels/levels.h"

int main() {
  using namespace dovetail;
  const Isa own = cpu::UsableIsa();
  for (const Isa level : cpu::kTestLevels) {
    const char* const state = level == own           ? "own"
                              : Includes(own, level) ? "usable"
                                                     : "lacking";
    std::printf("%s %s\n", std::string(IsaName(level)).c_str(), state);
  }
  return 0;
}
