#include "dovetail/backends/cpu/steps/elementwise/table.h"

#include <vector>

#include "dovetail/backends/cpu/steps/elementwise/convert_integers.h"
#include "dovetail/backends/cpu/steps/elementwise/elementwise.h"
#include "dovetail/backends/cpu/steps/elementwise/instruction.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ElementwiseEmitters() {
  static const auto& rows = *[] {
    auto* all = new std::vector<EmitterRow>;
    for (const OpType& type : InstructionTypes()) {
      all->push_back({type, &EmitElementwise});
    }
    // Between integers that programs do not compute with.
    all->push_back({"Convert", &EmitConvertIntegers});
    all->push_back({"ConvertLike", &EmitConvertIntegers});
    return all;
  }();
  return rows;
}

}  // namespace dovetail::cpu
