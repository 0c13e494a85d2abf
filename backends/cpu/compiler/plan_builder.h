// The builder of the CPU's plans: settings for emitters, and reorders as steps.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_PLAN_BUILDER_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_PLAN_BUILDER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/compiler/channel_moves.h"
#include "dovetail/backends/cpu/compiler/narrow_values.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::cpu {

using Operand = PlanOperand;

// Makes a step that copies a tensor of that shape from one format to another.
using MakeReorderFn = absl::StatusOr<std::unique_ptr<Step>> (*)(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings);

class PlanBuilder : public PlanBuilderBase {
 public:
  // As PlanBuilderBase.
  PlanBuilder(const Model& model, const CompileSettings& settings,
              WeightsCache& weights, MakeReorderFn make_reorder,
              NarrowValues narrow = {}, ChannelMoves channel_moves = {})
      : PlanBuilderBase(model, weights),
        settings_(settings),
        make_reorder_(make_reorder),
        narrow_(std::move(narrow)),
        channel_moves_(std::move(channel_moves)) {}

  const CompileSettings& settings() const { return settings_; }
  // In which type a step that can choose stores the value.
  ElementType StoredTypeOf(Value value) const {
    return narrow_.Has(value) ? ElementType::kBf16 : value.type();
  }
  const ChannelMoves& channel_moves() const { return channel_moves_; }
  // What trials have chosen for the node; empty: nothing.
  absl::string_view WantedKernel(const Node& node) const {
    return settings_.choices == nullptr ? absl::string_view()
                                        : settings_.choices->Of(node);
  }

 private:
  absl::StatusOr<std::unique_ptr<PlanStep>> MakeReorder(
      const Shape& shape, const Format& from, const Format& to) override {
    return make_reorder_(shape, from, to, settings_);
  }

  const CompileSettings& settings_;
  const MakeReorderFn make_reorder_;
  const NarrowValues narrow_;
  const ChannelMoves channel_moves_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_PLAN_BUILDER_H_
