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
#include "dovetail/core/ops/binary/constants_section.h"

namespace dovetail {

// Nodes in their order with attributes, ports, names, rt_info, bodies and
// constants; value ranges, which only inference uses, are left out.
// Of an operation of an extension its opset, and which build of which extension
// it is. kUnimplemented where no extension stands behind such an opset,
// kInvalidArgument for a node that reads another model's or for rt_info nested
// too deep.
//
// With `constants` the elements of large constants go there: the bytes are then
// small, and large constants are never copied.
absl::Status WriteModel(const Model& model, ByteWriter& writer,
                        ConstantsWriter* constants = nullptr);

// The same model; it passes Verify. kDataLoss says what is wrong with the
// bytes, kNotFound names an operation that does not exist, or not in that build
// of its extension. It has memory of its own but for constants that are
// elsewhere: they are views of what `constants`, which has to be given for such
// a model, has of them.
//
// `find` answers for operations of extensions; null for what there is not.
using FindExtensionOpFn = std::function<const OpInfo*(
    absl::string_view type, int version, absl::string_view opset)>;
absl::StatusOr<std::unique_ptr<Model>> ReadModel(
    ByteReader& reader, ConstantsReader* constants = nullptr,
    const FindExtensionOpFn& find = nullptr);

// The same with other operations than those of op_table.h.
using FindBinaryOpFn =
    std::function<const OpInfo*(absl::string_view type, int version)>;
absl::StatusOr<std::unique_ptr<Model>> ReadModel(
    ByteReader& reader, const FindBinaryOpFn& find,
    ConstantsReader* constants = nullptr);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_MODEL_BYTES_H_
