// Cases of single operations as text: the model, inputs, and what must come
// out.
//
//   case relu_0_f32
//   of Relu-0
//   tolerance 1e-05 relative, 2e-06 absolute
//   evidence openvino: agrees with an independent computation
//   model
//     %0 = Parameter-0() {shape: [1,3], element_type: f32}
//     %1 = Relu-0(%0) {}
//     %2 = Result-0(%1) {}
//   input f32[1,3] {-1, 0, 1}
//   output f32[1,3] {0, 0, 1}
//
// Inputs and outputs are in the order of the model's parameters and results.
// A line "again" begins another inference of the same request, with all inputs
// and outputs anew. A line that ends with a comma goes on in the next one.
// Lines that are empty or begin with "#" say nothing.
//
// The model's and tensors' form is that of core/graph/text.h, without names and
// types of outputs: these are inferred.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_TEXT_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

struct OperationCase {
  struct Inference {
    std::vector<Tensor> inputs, outputs;
  };

  std::string name;                     // "relu_0_f32"
  std::vector<std::string> operations;  // under test: "Relu-0"
  // |got - want| <= absolute + relative * |want|
  double relative = 0, absolute = 0;
  std::string evidence;  // where the outputs come from
  std::unique_ptr<Model> model;
  // Of one request, in this order; at least one. The outputs of types that
  // files of arrays lack may be of a wider type: f32 for bf16, for example.
  std::vector<Inference> inferences;
};

// All cases of a text, in its order. kInvalidArgument names case and line.
absl::StatusOr<std::vector<OperationCase>> ParseCases(absl::string_view text);

// What ParseCases reads, with lines of at most 100 columns where it can.
std::string CaseText(const OperationCase& operation_case);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_CASE_TEXT_H_
