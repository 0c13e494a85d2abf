#include "dovetail/core/ops/common/broadcast.h"

#include "absl/strings/string_view.h"

namespace dovetail {
namespace {

constexpr EnumName kAutoBroadcastNames[] = {
    {static_cast<int>(AutoBroadcast::kNone), "none"},
    {static_cast<int>(AutoBroadcast::kExplicit), "explicit"},
    {static_cast<int>(AutoBroadcast::kNumpy), "numpy"},
    {static_cast<int>(AutoBroadcast::kPdpd), "pdpd"},
};

absl::string_view NameOf(AutoBroadcast mode) {
  return kAutoBroadcastNames[static_cast<int>(mode)].name;
}

// What an extent of a is when one of b, equal or 1, is broadcast to it.
std::optional<Dimension> BroadcastInto(const Dimension& a, const Dimension& b) {
  if (b.Contains(1)) return a;  // is or may be 1: says nothing of a
  return Intersect(a, b);
}

std::optional<PartialShape> BroadcastPdpd(const PartialShape& a,
                                          const PartialShape& b) {
  if (!a.rank_known() || !b.rank_known()) return a;
  if (b.rank() > a.rank()) return std::nullopt;
  PartialShape result = a;
  for (int i = 0; i < b.rank(); ++i) {
    const std::optional<Dimension> dim = BroadcastInto(a[i], b[i]);
    if (!dim.has_value()) return std::nullopt;
    result[i] = *dim;
  }
  return result;
}

}  // namespace

absl::Span<const EnumName> EnumNames(AutoBroadcast) {
  return kAutoBroadcastNames;
}

std::optional<PartialShape> BroadcastBy(AutoBroadcast mode,
                                        const PartialShape& a,
                                        const PartialShape& b) {
  switch (mode) {
    case AutoBroadcast::kNumpy: return BroadcastNumpy(a, b);
    case AutoBroadcast::kPdpd: return BroadcastPdpd(a, b);
    case AutoBroadcast::kNone:
    case AutoBroadcast::kExplicit: return Intersect(a, b);
  }
  return std::nullopt;
}

absl::StatusOr<PartialShape> BroadcastInputs(const InferContext& context,
                                             AutoBroadcast mode, int a,
                                             int b) {
  const std::optional<PartialShape> shape =
      BroadcastBy(mode, context.shape(a), context.shape(b));
  if (shape.has_value()) return *shape;
  return context.Error("shapes ", context.shape(a).ToString(), " of input ", a,
                       " and ", context.shape(b).ToString(), " of input ", b,
                       " do not fit by auto_broadcast ", NameOf(mode));
}

}  // namespace dovetail
