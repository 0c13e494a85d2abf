// Einsum: sums of products that an equation such as "ij,jk->ik" describes.
#ifndef DOVETAIL_CORE_OPS_LINEAR_EINSUM_H_
#define DOVETAIL_CORE_OPS_LINEAR_EINSUM_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct EinsumAttributes : public AttributesOf<EinsumAttributes> {
  std::string equation;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("equation", equation);
  }
};

// One letter for each axis. '.' stands for all axes that an ellipsis covers.
struct EinsumEquation {
  std::vector<std::string> inputs;
  std::string output;

  // Spaces do not count. Without "->" the output has the ellipsis, if there is
  // one, and then all letters that occur once, in alphabetical order.
  // kInvalidArgument shows the equation and what is wrong in it.
  static absl::StatusOr<EinsumEquation> Parse(absl::string_view text);
};

// Names axes by numbers: those of an ellipsis, of which there are `dots` in the
// longest, are 0 … dots - 1, aligned at the last; letters are their characters.
constexpr int kMaxEinsumRank = 'A';
std::vector<int> EinsumAxes(absl::string_view subscript, int rank, int dots);
// How many axes the ellipsis of a subscript covers in a tensor of that rank.
int EinsumDots(absl::string_view subscript, int rank);

absl::Status InferEinsum(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_LINEAR_EINSUM_H_
