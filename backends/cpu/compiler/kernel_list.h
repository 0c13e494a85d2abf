// The kernels of an operation in order of preference: choosing the one that
// computes a node, with the reasons of those before it.
//
//   constexpr KernelCandidate<ConvolutionProblem> kKernels[] = {
//       {"winograd_f32", &TryWinograd},
//       {"few_channels_f32", &TryFewChannels},
//   };
//   return EmitFirst<ConvolutionProblem>(kKernels, node, problem, builder);
//
// A candidate sees the builder as it is, so one that declines cannot have added
// anything to the plan.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_LIST_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_LIST_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// What a kernel that takes a problem would do.
struct KernelOffer {
  Layout source = Layout::kPlanar;  // in which it reads the data
  // Why it is slower than others, such as "general code"; empty: it is not.
  // Then taken only where no candidate further down the list takes the problem,
  // or where trials have shown it faster all the same (KernelChoices).
  std::string slower;
  // Adds the steps. May refer to the problem.
  std::function<absl::Status(PlanBuilder& builder)> emit;
};

template <typename Problem>
struct KernelCandidate {
  absl::string_view name;
  // kUnimplemented says why the kernel declines, in a few words: "a stride of
  // 2". Any other error stops the compilation.
  absl::StatusOr<KernelOffer> (*offer)(const Problem& problem,
                                       const PlanBuilder& builder);
};

struct KernelChoice {
  std::optional<KernelOffer> offer;  // none: all declined
  absl::string_view name;
  // "winograd_f32: a stride of 2; few_channels_f32: 64 input channels".
  std::string declined;
};

// The candidate `wanted` where it takes the problem, else the first that does
// and is not slower than others.
template <typename Problem>
absl::StatusOr<KernelChoice> ChooseKernel(
    absl::Span<const KernelCandidate<Problem>> candidates,
    const Problem& problem, const PlanBuilder& builder,
    absl::string_view wanted = {}) {
  KernelChoice choice;
  bool is_slower = false;
  for (const KernelCandidate<Problem>& candidate : candidates) {
    absl::StatusOr<KernelOffer> offer = candidate.offer(problem, builder);
    if (!offer.ok() && !absl::IsUnimplemented(offer.status())) {
      return offer.status();
    }
    const std::string slower = offer.ok() ? offer->slower : "";
    const bool ends = candidate.name == wanted ||
                      (wanted.empty() && slower.empty());
    if (offer.ok() && ends) {
      choice.offer = *std::move(offer);
      choice.name = candidate.name;
      return choice;
    }
    absl::StrAppend(&choice.declined, choice.declined.empty() ? "" : "; ",
                    candidate.name, ": ",
                    !offer.ok()       ? offer.status().message()
                    : slower.empty() ? "slower when tried"
                                     : slower);
    if (!offer.ok()) continue;
    if (choice.offer && (!is_slower || !slower.empty())) continue;
    is_slower = !slower.empty();
    choice.offer = *std::move(offer);
    choice.name = candidate.name;
  }
  return choice;
}

// All that take the problem, besides `taken`.
template <typename Problem>
std::vector<std::string> OtherKernels(
    absl::Span<const KernelCandidate<Problem>> candidates,
    const Problem& problem, const PlanBuilder& builder,
    absl::string_view taken) {
  std::vector<std::string> others;
  for (const KernelCandidate<Problem>& candidate : candidates) {
    if (candidate.name == taken) continue;
    if (!candidate.offer(problem, builder).ok()) continue;
    others.emplace_back(candidate.name);
  }
  return others;
}

// Chooses a kernel for `node` and adds its steps, or none where all decline
// (false). Descriptions of the node tell who declined, and why.
template <typename Problem>
absl::StatusOr<bool> EmitFirst(
    absl::Span<const KernelCandidate<Problem>> candidates, const Node& node,
    const Problem& problem, PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(
      KernelChoice choice,
      ChooseKernel(candidates, problem, builder, builder.WantedKernel(node)));
  builder.SetDeclined(node, std::move(choice.declined));
  if (!choice.offer.has_value()) return false;
  if (auto* offered = builder.settings().offered) {
    offered->push_back(
        {&node, std::string(choice.name),
         OtherKernels(candidates, problem, builder, choice.name)});
  }
  DOVETAIL_RETURN_IF_ERROR(choice.offer->emit(builder));
  return true;
}

// The same where a node may be nothing that any of the kernels takes:
// kUnimplemented says why.
template <typename Problem>
absl::StatusOr<bool> EmitFirst(
    absl::Span<const KernelCandidate<Problem>> candidates, const Node& node,
    const absl::StatusOr<Problem>& problem, PlanBuilder& builder) {
  if (problem.ok()) return EmitFirst(candidates, node, *problem, builder);
  if (!absl::IsUnimplemented(problem.status())) return problem.status();
  builder.SetDeclined(node, absl::StrCat("all: ", problem.status().message()));
  return false;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_KERNEL_LIST_H_
