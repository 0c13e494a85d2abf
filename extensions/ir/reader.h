// Reads OpenVINO IR, versions 10 and 11: a model in XML and its constants in a
// file of bytes beside it.
//
// Types and shapes come from the operations' own inference, not from what the
// file declares. Layers that no result and no assignment of a variable needs
// are left out. Whatever a file contains, the answer is a model or one error
// that says where in the file what is wrong and what would be right.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_H_
#define DOVETAIL_EXTENSIONS_IR_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/extensions/ir/reader/options.h"

namespace dovetail {

// Reads `path` and its weights, which stay mapped, or in memory where the
// options say so, as long as a constant of the model or a copy of one lives.
// Errors begin with the path: kNotFound when there is no such file,
// kInvalidArgument for a malformed one, kUnimplemented for an operation of an
// unknown opset.
absl::StatusOr<std::unique_ptr<Model>> ReadIr(const std::string& path,
                                              const ReadOptions& options = {});

// The same from memory. `weights` is a contiguous tensor of bytes (u8), or a
// default Tensor for none; constants keep its memory if it owns or shares that,
// else the caller has to keep it as long as the model.
absl::StatusOr<std::unique_ptr<Model>> ReadIrFromMemory(
    absl::string_view xml, const Tensor& weights,
    const ReadOptions& options = {});

// Where the weights of the model file `path` are unless ReadOptions says
// otherwise: beside it, with the ending .bin.
std::string DefaultWeightsPath(const std::string& path);

// Whether a file that begins with these bytes is an IR: whether its first
// element, within the first 512 bytes, is <net>.
bool LooksLikeIr(absl::string_view first_bytes);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_IR_READER_H_
