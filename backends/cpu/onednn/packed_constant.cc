#include "dovetail/backends/cpu/onednn/packed_constant.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/parted_reorder.h"
#include "dovetail/backends/cpu/onednn/stable_text.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// The form that a reorder gives, and what it takes the constant for.
std::string FormOf(const dnnl::memory::desc& from,
                   const dnnl::memory::desc& to) {
  return absl::StrCat("onednn:", StableText(from), ":", StableText(to));
}

}  // namespace

absl::StatusOr<Operand> PackConstant(PlanBuilder& builder, const Tensor& tensor,
                                     const dnnl::memory::desc& from,
                                     const dnnl::memory::desc& to) {
  if (from == to) return builder.AddConstant(tensor);
  const PartedReorder reorder(from, to);
  const auto pack = [reorder](absl::Span<const Tensor> constants, void* packed,
                              int part) {
    return Guarded("packing weights", [&] {
      reorder.Run(constants[0].address(), packed, part);
    });
  };
  return builder.GetOrPack({FormOf(from, to), tensor},
                           static_cast<int64_t>(to.get_size()), pack,
                           reorder.parts(), Alignment::kAny);
}

absl::StatusOr<Operand> PackComputed(
    PlanBuilder& builder, PackingKey key,
    std::function<absl::StatusOr<Tensor>()> compute,
    const dnnl::memory::desc& from, const dnnl::memory::desc& to) {
  key.form = absl::StrCat(FormOf(from, to), ":", key.form);
  const auto pack = [compute = std::move(compute), from, to](
                        absl::Span<const Tensor>, void* packed,
                        int) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, compute());
    return Guarded("packing weights",
                   [&] { Reorder(from, tensor.raw_data(), to, packed); });
  };
  return builder.GetOrPack(key, static_cast<int64_t>(to.get_size()), pack);
}

}  // namespace dovetail::cpu
