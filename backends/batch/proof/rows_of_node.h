// What rules about a batch ask of a node that reads its rows. Answers that are
// texts are sentences without their subject, which is the node: what stands
// against it that each row is independent of the others; "": nothing.
#ifndef DOVETAIL_BACKENDS_BATCH_PROOF_ROWS_OF_NODE_H_
#define DOVETAIL_BACKENDS_BATCH_PROOF_ROWS_OF_NODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail::batch {

inline constexpr int kNoAxis = -1;

// A node that reads rows.
struct RowsOfNode {
  const Node* node;
  // The axis that the rows lie along; kNoAxis: the same for all rows, and for a
  // batch of any size.
  std::vector<int> inputs;
  std::vector<int> outputs;  // kNoAxis: not read by anything
  // Of the inputs, those that only depend on how many rows there are.
  std::vector<bool> is_shape;
};

const PartialShape& ShapeOfInput(const RowsOfNode& rows, int i);
// What is known of an input that does not depend on the batch.
std::optional<std::vector<int64_t>> Integers(const RowsOfNode& rows, int i);
// Extents of a static shape before an axis, multiplied.
int64_t ProductBefore(const PartialShape& shape, int axis);
// The axis of the rows keeps its extent from input 0 to output 0.
bool KeepsExtent(const RowsOfNode& rows);

std::string MixesAlong(int axis);
std::string NeedsKnown(int input);
// Works along this axis of input 0, from the end if below 0, which may not be
// the one that the rows lie along.
std::string AwayFrom(const RowsOfNode& rows, int64_t axis);
// The same of axes that input `i` lists.
std::string AwayFromInput(const RowsOfNode& rows, int i);
// Inputs from `first` on are no rows.
std::string OnlyFirstAreRows(const RowsOfNode& rows, int first);
// The rows of all inputs lie at the same distance from the end, where the
// others have extent 1.
std::string Aligned(const RowsOfNode& rows, int from_end);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_PROOF_ROWS_OF_NODE_H_
