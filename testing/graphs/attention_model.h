// Models of one attention, as text for tests of its kernels.
#ifndef DOVETAIL_TESTING_GRAPHS_ATTENTION_MODEL_H_
#define DOVETAIL_TESTING_GRAPHS_ATTENTION_MODEL_H_

#include <string>

namespace dovetail {

// "%m = Parameter-0() …" and a newline. `shape` is "20,30".
std::string ParameterLine(const std::string& id, const std::string& shape,
                          const std::string& type = "f32");

struct AttentionCase {
  std::string q, k, v;   // shapes
  std::string more;      // lines of other parameters
  std::string operands;  // these, behind the first three: ", %m"
  bool causal = false;
};

std::string AttentionModel(const AttentionCase& attention);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_GRAPHS_ATTENTION_MODEL_H_
