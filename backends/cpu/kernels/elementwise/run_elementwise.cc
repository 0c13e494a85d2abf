#include "dovetail/backends/cpu/kernels/elementwise/run_elementwise.h"

#include <algorithm>
#include <array>

#include "dovetail/backends/cpu/kernels/elementwise/tile_loader.h"

namespace dovetail::cpu {
namespace {

size_t RoundUp(size_t count) {
  return (count + kTileStep - 1) / kTileStep * kTileStep;
}

// One call of RunElementwise.
class Sweep {
 public:
  Sweep(const ElementwiseProgram& program, const ElementwiseGeometry& geometry,
        absl::Span<const void* const> inputs, absl::Span<void* const> outputs)
      : program_(program), geometry_(geometry), outputs_(outputs) {
    for (int i = 0; i < program.register_count(); ++i) {
      float* const tile = scratch_ + i * geometry.tile_size;
      own_[i] = tile;
      registers_[i] = {tile, ~size_t{0}};
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      loaders_[i] = TileLoader(program.inputs()[i], geometry.inputs[i],
                               inputs[i], own_[i]);
    }
  }

  void RunTile(int64_t tile) {
    const int64_t start = tile * geometry_.tile_size;
    const size_t count =
        std::min(geometry_.tile_size, geometry_.element_count - start);
    for (size_t i = 0; i < program_.inputs().size(); ++i) {
      registers_[i] = loaders_[i].Load(start, count);
    }
    const int direct = PointLastResultAtOutput(start, count);
    for (const auto& instruction : program_.instructions()) {
      Execute(instruction, RoundUp(count));
    }
    for (int i = 0; i < static_cast<int>(outputs_.size()); ++i) {
      if (i != direct) Store(i, start, count);
    }
  }

 private:
  // The last instruction may write to memory at once, where that takes whole
  // vectors of f32. Others may not: an input in the same memory may be needed
  // after them. Answers the output that needs no Store any more, or -1.
  int PointLastResultAtOutput(int64_t start, size_t count) {
    const int last = program_.instructions().back().result;
    registers_[last].data = out_ = own_[last];
    if (count % kTileStep != 0) return -1;
    for (int i = 0; i < static_cast<int>(outputs_.size()); ++i) {
      const auto& output = program_.outputs()[i];
      if (output.value != last || output.type != ElementType::kF32 ||
          geometry_.outputs[i].kind != OperandWalk::Kind::kDense) {
        continue;
      }
      out_ = static_cast<float*>(outputs_[i]) + start;
      return i;
    }
    return -1;
  }

  TileOperand Locate(const ElementwiseProgram::Operand& operand) const {
    if (!operand.is_constant) return registers_[operand.index];
    return {program_.constants()[operand.index].lanes.data(), 0};
  }

  void Execute(const ElementwiseProgram::Instruction& instruction,
               size_t count) {
    OpArguments arguments;
    for (int i = 0; i < instruction.operand_count; ++i) {
      arguments.in[i] = Locate(instruction.operands[i]);
    }
    const bool is_last = &instruction == &program_.instructions().back();
    arguments.out = is_last ? out_ : own_[instruction.result];
    arguments.count = count;
    arguments.parameters = instruction.parameters.data();
    instruction.function(arguments);
    registers_[instruction.result].data = arguments.out;
  }

  void Store(int i, int64_t start, size_t count) {
    const auto& output = program_.outputs()[i];
    const float* const from = registers_[output.value].data;
    StoreTile(output, geometry_.outputs[i], from, outputs_[i], start, count);
  }

  const ElementwiseProgram& program_;
  const ElementwiseGeometry& geometry_;
  const absl::Span<void* const> outputs_;
  std::array<TileOperand, kMaxRegisters> registers_;
  std::array<float*, kMaxRegisters> own_;
  std::array<TileLoader, kMaxRegisters> loaders_;
  float* out_ = nullptr;  // of the last instruction
  alignas(64) float scratch_[kScratchFloats];
};

}  // namespace

void RunElementwise(const ElementwiseProgram& program,
                    const ElementwiseGeometry& geometry,
                    absl::Span<const void* const> inputs,
                    absl::Span<void* const> outputs, int64_t begin,
                    int64_t end) {
  if (program.instructions().empty() || begin >= end) return;
  Sweep sweep(program, geometry, inputs, outputs);
  for (int64_t tile = begin; tile < end; ++tile) sweep.RunTile(tile);
}

}  // namespace dovetail::cpu
