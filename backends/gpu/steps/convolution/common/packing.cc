#include "dovetail/backends/gpu/steps/convolution/common/packing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail::gpu {
namespace {

// Where the elements of the window lie that a phase takes, in its order.
std::vector<int64_t> TapOffsets(const ConvolutionProblem& problem,
                                const Phase& phase) {
  std::vector<int64_t> offsets = {0};
  for (int i = 0; i < 3; ++i) {
    std::vector<int64_t> next;
    for (const int64_t offset : offsets) {
      for (int64_t t = 0; t < phase[i].taps; ++t) {
        next.push_back(offset * problem.axes[i].kernel + phase[i].first_tap +
                       t * phase[i].tap_step);
      }
    }
    offsets = std::move(next);
  }
  return offsets;
}

class Packer {
 public:
  Packer(const ConvolutionProblem& problem, const PackedForm& form)
      : form_(form),
        groups_(problem.groups),
        inputs_(problem.inputs),
        outputs_(problem.outputs),
        group_stride_(problem.group_stride),
        output_stride_(problem.output_stride),
        input_stride_(problem.input_stride),
        taps_(TapOffsets(problem, form.phase)) {}

  // The weights of one work item.
  void Pack(const Tensor& from, int64_t item, void* packed) const {
    if (from.type() != ElementType::kF32) {
      PackItem(static_cast<const uint8_t*>(from.raw_data()), item,
               static_cast<uint8_t*>(packed));
    } else if (form_.stored == ElementType::kF16) {
      PackItem(from.data<float>(), item, static_cast<Float16*>(packed));
    } else {
      PackItem(from.data<float>(), item, static_cast<float*>(packed));
    }
  }

 private:
  template <typename From, typename To>
  void PackItem(const From* from, int64_t item, To* packed) const {
    To* to = packed + item * form_.item_floats();
    const int64_t group = item / form_.items();
    const int64_t first = item % form_.items() * form_.output_block;
    for (int64_t block = 0; block < form_.blocks(); ++block) {
      for (const int64_t tap : taps_) {
        for (int64_t i = 0; i < form_.input_block; ++i) {
          for (int64_t o = first; o < first + form_.output_block; ++o) {
            const int64_t input = block * form_.input_block + i;
            const int64_t own =
                form_.has_own_inputs ? o / outputs_ * inputs_ : 0;
            *to++ = To(At(from, group, own + input, o, tap));
          }
        }
      }
    }
  }

  // Channels count from the beginning of a merged group.
  template <typename From>
  From At(const From* from, int64_t merged, int64_t input, int64_t output,
          int64_t tap) const {
    const MergedGroups& channels = form_.channels;
    if (input >= channels.inputs || output >= channels.outputs) return 0;
    if (input / inputs_ != output / outputs_) return 0;
    const int64_t group = merged * channels.merged + input / inputs_;
    if (group >= groups_) return 0;
    return from[group * group_stride_ + input % inputs_ * input_stride_ +
                output % outputs_ * output_stride_ + tap];
  }

  const PackedForm form_;
  const int64_t groups_, inputs_, outputs_;
  const int64_t group_stride_, output_stride_, input_stride_;
  const std::vector<int64_t> taps_;
};

// All that decides which bytes there are, but for the constant.
std::string FormText(const ConvolutionProblem& problem,
                     const PackedForm& form) {
  std::string text = absl::StrCat(
      "opencl convolution:", problem.transposed, ",", problem.groups, ",",
      form.channels.merged, ",", form.input_block, ",", form.output_block, ",",
      ElementTypeName(form.stored), ",", form.has_own_inputs);
  for (const AxisPhase& axis : form.phase) {
    absl::StrAppend(&text, ";", axis.taps, ",", axis.first_tap, ",",
                    axis.tap_step);
  }
  return text;
}

}  // namespace

int64_t PackedForm::items() const {
  return CeilDivide(channels.outputs, output_block);
}

int64_t PackedForm::blocks() const {
  return has_own_inputs ? 1 : CeilDivide(channels.inputs, input_block);
}

absl::StatusOr<Operand> PackWeights(const ConvolutionProblem& problem,
                                    const PackedForm& form,
                                    PlanBuilder& builder) {
  const Value weights = problem.weights;
  ElementsFn evaluate;
  if (!PlanBuilder::IsConstant(weights)) {
    evaluate = [=](absl::Span<const Tensor>) {
      return EvaluateWeights(weights);
    };
  }
  return PackElements(problem, form, WeightKey(weights), evaluate, builder);
}

absl::StatusOr<Operand> PackElements(const ConvolutionProblem& problem,
                                     const PackedForm& form, PackingKey key,
                                     const ElementsFn& elements,
                                     PlanBuilder& builder) {
  const auto items = static_cast<int>(form.channels.groups * form.items());
  const auto pack = [packer = Packer(problem, form), elements, items](
                        absl::Span<const Tensor> constants, void* packed,
                        int part) -> absl::Status {
    if (!elements) {
      packer.Pack(constants[0], part, packed);
      return absl::OkStatus();
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor made, elements(constants));
    for (int i = 0; i < items; ++i) packer.Pack(made, i, packed);
    return absl::OkStatus();
  };
  // A phase may have no taps at all; kernels then read nothing.
  const int64_t bytes =
      std::max<int64_t>(form.floats(), 1) * BitWidth(form.stored) / 8;
  key.form = absl::StrCat(FormText(problem, form), ":", key.form);
  return builder.GetOrPack(key, bytes, pack, elements ? 1 : items);
}

}  // namespace dovetail::gpu
