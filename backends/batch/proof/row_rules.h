// Operations' rules about a batch: whether what a node gives for one of its
// rows is made of that row alone.
#ifndef DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_
#define DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_

#include <string>

#include "dovetail/backends/batch/proof/rows_of_node.h"

namespace dovetail::batch {

// Empty: each row is independent of the others. Else what stands against it,
// as a sentence without its subject, which is the node.
std::string WhyRowsMix(const RowsOfNode& rows);

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_PROOF_ROW_RULES_H_
