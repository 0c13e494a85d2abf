// The binary form of a model: everything that is in it, for backends that
// export compiled models. Not a format for exchange: another build may read it
// differently.
#ifndef DOVETAIL_CORE_OPS_BINARY_MODEL_BYTES_H_
#define DOVETAIL_CORE_OPS_BINARY_MODEL_BYTES_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/op_info.h"

namespace dovetail {

// Nodes in their order with attributes, ports, names, rt_info, bodies and
// constants; value ranges, which only inference uses, are left out.
// kUnimplemented for an operation of an extension, kInvalidArgument for a node
// that reads another model's or for rt_info nested too deep.
absl::Status WriteModel(const Model& model, ByteWriter& writer);

// The same model, with memory of its own; it passes Verify. kDataLoss says what
// is wrong with the bytes, kNotFound names an operation that does not exist.
absl::StatusOr<std::unique_ptr<Model>> ReadModel(ByteReader& reader);

// The same with other operations than those of op_table.h. `find` answers null
// for what there is not.
using FindBinaryOpFn =
    std::function<const OpInfo*(absl::string_view type, int version)>;
absl::StatusOr<std::unique_ptr<Model>> ReadModel(ByteReader& reader,
                                                 const FindBinaryOpFn& find);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_MODEL_BYTES_H_
