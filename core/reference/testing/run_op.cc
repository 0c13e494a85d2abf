#include "dovetail/core/reference/testing/run_op.h"

#include <cmath>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/reference/run_kernel.h"
#include "gtest/gtest.h"

namespace dovetail {

Tensor TensorOf(ElementType type, const Shape& shape,
                const std::vector<double>& values) {
  return Tensor::FromDoubles(type, shape, values).value();
}
Tensor Floats(const Shape& shape, const std::vector<double>& values) {
  return TensorOf(ElementType::kF32, shape, values);
}
Tensor Int32s(const Shape& shape, const std::vector<double>& values) {
  return TensorOf(ElementType::kI32, shape, values);
}
Tensor Int64s(const Shape& shape, const std::vector<double>& values) {
  return TensorOf(ElementType::kI64, shape, values);
}
Tensor Booleans(const Shape& shape, const std::vector<double>& values) {
  return TensorOf(ElementType::kBoolean, shape, values);
}

absl::StatusOr<std::vector<Tensor>> OpTester::Outputs(
    absl::string_view op, const std::vector<Tensor>& inputs,
    const TextAttributes& attributes,
    const KernelEnvironment& environment) const {
  DOVETAIL_ASSIGN_OR_RETURN(const OpInfo* row, FindOpByName(ops_, op));
  DOVETAIL_ASSIGN_OR_RETURN(auto made, AttributesFromText(*row, attributes));
  Model model;
  std::vector<Value> values;
  for (const Tensor& input : inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * parameter, AddParameter(model, input.type(), input.shape()));
    values.push_back(parameter->output());
  }
  DOVETAIL_ASSIGN_OR_RETURN(Node * node,
                            model.Add(*row, values, std::move(made)));
  for (const KernelRow& kernel : kernels_) {
    if (kernel.type != row->type || kernel.version != row->version) continue;
    return RunKernel(kernel.kernel, *node, inputs, environment, evaluate_);
  }
  return NotFound("no kernel of this table is for ", op);
}

std::string OpTester::Run(absl::string_view op,
                          const std::vector<Tensor>& inputs,
                          const TextAttributes& attributes,
                          const KernelEnvironment& environment) const {
  const auto outputs = Outputs(op, inputs, attributes, environment);
  if (!outputs.ok()) {
    const absl::string_view message = outputs.status().message();
    return std::string(message.data(), message.size());
  }
  std::string text;
  for (const Tensor& output : *outputs) {
    if (!text.empty()) text += "; ";
    text += output.ToString(/*max_elements=*/1000);
  }
  return text;
}

void ExpectNear(const absl::StatusOr<std::vector<Tensor>>& outputs,
                const std::vector<double>& want, double tolerance,
                int output) {
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  ASSERT_LT(output, static_cast<int>(outputs->size()));
  const Tensor& tensor = (*outputs)[output];
  ASSERT_EQ(tensor.element_count(), static_cast<int64_t>(want.size()))
      << tensor.ToString();
  for (size_t i = 0; i < want.size(); ++i) {
    const double got = tensor.ElementAsDouble(static_cast<int64_t>(i));
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got)) << "element " << i << " is " << got;
    } else if (std::isinf(want[i])) {
      EXPECT_EQ(got, want[i]) << "element " << i;
    } else {
      EXPECT_NEAR(got, want[i], tolerance * (1 + std::fabs(want[i])))
          << "element " << i << " of " << tensor.ToString();
    }
  }
}

}  // namespace dovetail
