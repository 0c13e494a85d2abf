// The values of Const layers: views of the weights, which are not copied where
// their alignment allows that.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_CONSTANTS_H_
#define DOVETAIL_EXTENSIONS_IR_READER_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// The bytes that Const layers refer to. Constants that need memory of their own
// (unaligned or string ones) share it when they are at the same place, and all
// of it together is bounded by the size of the weights, so that a small file
// cannot ask for much memory by naming the same bytes a thousand times.
class Weights {
 public:
  // No weights; `why` is the end of the sentence that says so.
  explicit Weights(std::string why) : why_absent_(std::move(why)) {}
  // `owner` keeps the bytes alive.
  Weights(const void* data, int64_t size, std::shared_ptr<const void> owner);

  // The tensor that element_type, shape, offset and size of <data> describe.
  // kInvalidArgument names the attribute that is wrong.
  absl::StatusOr<Tensor> ReadConstant(pugi::xml_node data, int max_rank);
  // `size` bytes at `offset` as a tensor. kInvalidArgument when they are not
  // all there or not enough for the shape.
  absl::StatusOr<Tensor> ReadTensor(ElementType type, const Shape& shape,
                                    int64_t offset, int64_t size);

 private:
  absl::StatusOr<Tensor> Make(ElementType type, const Shape& shape,
                              int64_t offset, int64_t size);
  absl::StatusOr<Tensor> MakeStrings(const Shape& shape, int64_t offset,
                                     int64_t size);
  absl::Status Spend(int64_t bytes);

  std::string why_absent_;  // empty when there are weights
  const uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  std::shared_ptr<const void> owner_;
  int64_t copy_budget_ = 0;
  // What has been copied, by type, offset and size.
  std::map<std::tuple<ElementType, int64_t, int64_t>, Tensor> copies_;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_CONSTANTS_H_
