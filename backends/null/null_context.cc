#include "dovetail/backends/null/null_context.h"

#include <cstring>
#include <string>

#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

// The shape of an output; of a dimension that is not known, the least extent.
Shape LeastShape(const PartialShape& shape) {
  return shape.rank_known() ? Shape(shape.MinDims()) : Shape();
}

void SetToZero(const Tensor& tensor) {
  if (tensor.type() == ElementType::kString) {
    for (std::string& text : tensor.mutable_span<std::string>()) text.clear();
  } else if (tensor.byte_size() > 0) {
    std::memset(tensor.mutable_raw_data(), 0, tensor.byte_size());
  }
}

}  // namespace

NullContext::NullContext(const NullExecutable& executable)
    : ExecutionContext(executable), executable_(executable) {
  stages_ = {SynchronousStage("execute", &executor_, [this] { return Run(); })};
}

// A device would compute here. What it must do in any case: see that all inputs
// are there, and put each output where PortTensors says.
absl::Status NullContext::Run() {
  for (size_t i = 0; i < executable_.inputs().size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(input_tensors().Get(static_cast<int>(i)).status());
  }
  for (size_t i = 0; i < executable_.outputs().size(); ++i) {
    const int port = static_cast<int>(i);
    const PortInfo& info = executable_.outputs()[i];
    const ElementType type =
        info.type == ElementType::kDynamic ? ElementType::kF32 : info.type;
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor output,
        output_tensors().Destination(port, type, LeastShape(info.shape)));
    SetToZero(output);
    DOVETAIL_RETURN_IF_ERROR(output_tensors().Store(port, output));
  }
  return absl::OkStatus();
}

std::vector<ProfilingRecord> NullContext::profiling() const {
  if (!executable_.config().GetBool(properties::kPerfCount)) return {};
  return executable_.layers();
}

}  // namespace dovetail
