#include "dovetail/transformations/common/precise.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMark = "precise_0";

}  // namespace

bool IsPrecise(const Node& node) {
  return node.rt_info().Find({kMark}) != nullptr;
}

void MarkPrecise(Node& node) { node.rt_info().Set({kMark}, ""); }

}  // namespace dovetail
