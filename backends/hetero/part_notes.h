// What users see of the parts of a model.
#ifndef DOVETAIL_BACKENDS_HETERO_PART_NOTES_H_
#define DOVETAIL_BACKENDS_HETERO_PART_NOTES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/query_result.h"

namespace dovetail::hetero {

// Gives the layers the numbers of their parts, and adds a note a part.
absl::Status NoteParts(const Model& model, const std::vector<Part>& parts,
                       QueryResult& layers);

// Draws the model with its parts, for Graphviz; kUnavailable where the file
// cannot be written.
absl::Status WriteDot(const Model& model, const std::vector<Part>& parts,
                      const std::string& path);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_PART_NOTES_H_
