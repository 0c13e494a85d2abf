// A model on the device as users have it, beside the reference kernels.
//
//   const Network network(R"(
//     %x = Parameter-0() {shape: [?,3,?,?], element_type: f32}
//     %w = Parameter-0() {shape: [4,3,3,3], element_type: f32}  # constant
//     …)");
//   const auto request = network.NewRequest();
//   EXPECT_EQ(network.Check(*request, network.Inputs({{2, 3, 8, 8}})), "");
#ifndef DOVETAIL_BACKENDS_CPU_TESTING_NETWORK_H_
#define DOVETAIL_BACKENDS_CPU_TESTING_NETWORK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/request/request.h"

namespace dovetail::cpu {

// Computes in f32. What cannot be compiled fails the test and gives a null
// executable. Const members are thread-safe.
class Network {
 public:
  // A model in text form (core/ops/text/parse.h), with random constants as in
  // random_model.h.
  explicit Network(absl::string_view text, const PropertyMap& properties = {});

  const std::shared_ptr<const Executable>& executable() const {
    return executable_;
  }
  const Model& model() const { return *model_; }

  // Null, and the test fails, when there is none.
  std::unique_ptr<Request> NewRequest() const;

  // Random tensors of the parameters' types; floats from -2 to 2, integers from
  // 0 to 5.
  std::vector<Tensor> Inputs(const std::vector<Shape>& shapes,
                             unsigned seed = 1) const;

  // Infers, and compares all results with what the reference kernels give:
  // empty, or what is wrong. `variables` keeps the reference's ones.
  std::string Check(Request& request, const std::vector<Tensor>& inputs,
                    double tolerance = 1e-4,
                    VariableValues* variables = nullptr) const;

 private:
  std::unique_ptr<Model> model_;
  std::shared_ptr<const Executable> executable_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TESTING_NETWORK_H_
