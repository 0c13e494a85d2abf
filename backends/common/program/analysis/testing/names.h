// Names of nodes and values, as tests of analyses list them.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_TESTING_NAMES_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_TESTING_NAMES_H_

#include <string>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail {

inline std::vector<std::string> Names(const std::vector<const Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

inline std::vector<std::string> Names(const std::vector<Value>& values) {
  std::vector<std::string> names;
  for (const Value& value : values) names.push_back(value.node->name());
  return names;
}

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_TESTING_NAMES_H_
