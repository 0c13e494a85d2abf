// What the axes of a tensor are called: "NCHW", "N?HW", "N...C" or
// "[N,C,H,W]".
#ifndef DOVETAIL_CORE_PREPROCESS_LAYOUT_H_
#define DOVETAIL_CORE_PREPROCESS_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dovetail {

// A small value. Names are single letters, or words between brackets; case does
// not count. "?" is an axis without a name, "..." any number of them.
class Layout {
 public:
  // No layout: nothing is known of any axis.
  Layout() = default;
  // kInvalidArgument for a name that is there twice, and for two "...".
  static absl::StatusOr<Layout> Parse(absl::string_view text);

  bool empty() const { return axes_.empty(); }
  // The axis of that name, negative when it stands after "..." (then counted
  // from the end).
  std::optional<int> Find(absl::string_view name) const;
  // The same for a tensor of that rank: from 0 on. kInvalidArgument when the
  // layout has no such axis.
  absl::StatusOr<int> Axis(absl::string_view name, int rank) const;
  // With "?" in place of "...". kInvalidArgument for another number of axes
  // than `rank`.
  absl::StatusOr<Layout> Expanded(int rank) const;
  // Axis i of the result is axis order[i] of this one, which has as many.
  Layout Permuted(const std::vector<int64_t>& order) const;
  std::string ToString() const;  // "[N,C,H,W]"

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  std::vector<std::string> axes_;
};

// The order by which Transpose makes a tensor of layout `to` of one of layout
// `from`; axes without a name keep their order among themselves.
// kInvalidArgument names the axis that only one of them has.
absl::StatusOr<std::vector<int64_t>> LayoutOrder(const Layout& from,
                                                 const Layout& to, int rank);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_LAYOUT_H_
