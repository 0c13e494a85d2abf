#include "dovetail/core/plugin/ports/port_tensors.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"

namespace dovetail {

PortTensors::PortTensors(absl::string_view kind,
                         absl::Span<const PortInfo> ports)
    : kind_(kind), ports_(ports), users_(ports.size()), own_(ports.size()) {}

absl::Status PortTensors::Set(int i, const Tensor& tensor) {
  users_[i] = tensor;
  return absl::OkStatus();
}

absl::StatusOr<Tensor> PortTensors::Get(int i) {
  if (is_set(i)) return users_[i];
  const PortInfo& port = ports_[i];
  const bool known =
      port.shape.is_static() && port.type != ElementType::kDynamic;
  if (!own_[i].has_data() && known) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, port.shape.ToShape());
    DOVETAIL_ASSIGN_OR_RETURN(own_[i], Tensor::Allocate(port.type, shape));
  }
  if (own_[i].has_data()) return own_[i];
  return FailedPrecondition(
      DescribePort(kind_, port), " has no tensor yet: its ",
      port.shape.is_static() ? "type" : "shape", " is dynamic");
}

absl::Status PortTensors::CheckFits(int i, ElementType type,
                                    const Shape& shape) const {
  const Tensor& user = users_[i];
  if (user.type() == type && user.shape() == shape) return absl::OkStatus();
  return InvalidArgument(DescribePort(kind_, ports_[i]),
                         ": the inference gave ", ElementTypeName(type),
                         shape.ToString(), ", but the tensor that was set is ",
                         ElementTypeName(user.type()), user.shape().ToString());
}

absl::StatusOr<Tensor> PortTensors::Destination(int i, ElementType type,
                                                const Shape& shape) {
  if (is_set(i)) {
    DOVETAIL_RETURN_IF_ERROR(CheckFits(i, type, shape));
    if (users_[i].is_contiguous()) return users_[i];
  }
  Tensor& own = own_[i];
  if (own.type() != type || own.shape() != shape || own.is_read_only()) {
    DOVETAIL_ASSIGN_OR_RETURN(own, Tensor::AllocateUninitialized(type, shape));
  }
  return own;
}

absl::Status PortTensors::Store(int i, const Tensor& tensor) {
  if (!is_set(i)) {
    own_[i] = tensor;
    return absl::OkStatus();
  }
  DOVETAIL_RETURN_IF_ERROR(CheckFits(i, tensor.type(), tensor.shape()));
  if (users_[i].raw_data() == tensor.raw_data() &&
      users_[i].is_contiguous()) {
    return absl::OkStatus();
  }
  return users_[i].CopyFrom(tensor);
}

}  // namespace dovetail
