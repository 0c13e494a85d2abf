#include "dovetail/backends/cpu/kernels/linear/epilogue.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace dovetail::cpu {
namespace {

constexpr int64_t kColumnsAtATime = 256;

int64_t RoundUp(int64_t count) {
  constexpr int64_t kStep = kTileStep;
  return (count + kStep - 1) / kStep * kStep;
}

class EpilogueRunner {
 public:
  EpilogueRunner(const ElementwiseProgram& program,
                 absl::Span<const EpilogueOperand> operands,
                 const MatrixPart& part)
      : program_(program), operands_(operands), part_(part) {}

  void Run() {
    for (int64_t row = part_.row_begin; row < part_.row_end; ++row) {
      int64_t column = part_.column_begin;
      while (column < part_.column_end) {
        const int64_t count =
            std::min(kColumnsAtATime, part_.column_end - column);
        RunTile(row, column, count);
        column += count;
      }
    }
  }

 private:
  float* Own(int i) { return scratch_ + i * kColumnsAtATime; }

  // Where numbers lie, or a copy when whole vectors would go beyond the end.
  TileOperand Numbers(int i, const float* data, int64_t count) {
    if (count % static_cast<int64_t>(kTileStep) == 0) return {data, ~size_t{0}};
    std::memcpy(Own(i), data, count * sizeof(float));
    return {Own(i), ~size_t{0}};
  }

  TileOperand Load(int i, int64_t row, int64_t column, int64_t count) {
    const EpilogueOperand& operand = operands_[i - 1];
    const float* const data = operand.data + row * operand.row_stride;
    if (operand.column_stride != 0) return Numbers(i, data + column, count);
    std::fill_n(Own(i), kTileStep, *data);
    return {Own(i), 0};
  }

  void RunTile(int64_t row, int64_t column, int64_t count) {
    float* const c = part_.data + row * part_.stride + column;
    registers_[0] = Numbers(0, c, count);
    const int inputs = static_cast<int>(program_.inputs().size());
    for (int i = 1; i < inputs; ++i) {
      registers_[i] = Load(i, row, column, count);
    }
    const bool whole = RoundUp(count) == count;
    for (const auto& instruction : program_.instructions()) {
      const bool is_last = &instruction == &program_.instructions().back();
      float* const out = is_last && whole ? c : Own(instruction.result);
      Execute(instruction, out, RoundUp(count));
    }
    if (!whole) {
      const int result = program_.outputs()[0].value;
      std::memcpy(c, registers_[result].data, count * sizeof(float));
    }
  }

  void Execute(const ElementwiseInstruction& instruction, float* out,
               int64_t count) {
    OpArguments arguments;
    for (int i = 0; i < instruction.operand_count; ++i) {
      const ElementwiseOperand& operand = instruction.operands[i];
      arguments.in[i] =
          operand.is_constant
              ? TileOperand{program_.constants()[operand.index].lanes.data(), 0}
              : registers_[operand.index];
    }
    arguments.out = out;
    arguments.count = count;
    arguments.parameters = instruction.parameters.data();
    instruction.function(arguments);
    registers_[instruction.result] = {out, ~size_t{0}};
  }

  const ElementwiseProgram& program_;
  const absl::Span<const EpilogueOperand> operands_;
  const MatrixPart& part_;
  std::array<TileOperand, kMaxRegisters> registers_;
  alignas(64) float scratch_[kMaxRegisters * kColumnsAtATime];
};

}  // namespace

void RunEpilogue(const ElementwiseProgram& program,
                 absl::Span<const EpilogueOperand> operands,
                 const MatrixPart& part) {
  if (program.instructions().empty()) return;
  EpilogueRunner(program, operands, part).Run();
}

}  // namespace dovetail::cpu
