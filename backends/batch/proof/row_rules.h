// Operations' rules about a batch: whether what a node gives for one of its
// rows is made of that row alone.
#ifndef DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_
#define DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_

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

// Empty: each row is independent of the others. Else what stands against it,
// as a sentence without its subject, which is the node.
std::string WhyRowsMix(const RowsOfNode& rows);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_
