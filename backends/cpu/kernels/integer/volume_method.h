// Convolutions of integers in volumes.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_VOLUME_METHOD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_VOLUME_METHOD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"

namespace dovetail::cpu {

// Computes each plane of the output as a picture, by a method of dense ones:
// the planes that it is made of are channels of its input, which is not copied.
class VolumeIntegerMethod : public IntegerMethod {
 public:
  static bool IsFitting(const IntegerConvolutionShape& shape);

  VolumeIntegerMethod(const IntegerConvolutionShape& shape,
                      const int8_t* weights, int threads,
                      const MakeIntegerMethod& make);

  absl::string_view weights_form() const override { return form_; }
  int64_t weights_bytes() const override { return method_->weights_bytes(); }
  void PackWeights(const int8_t* weights, void* packed) const override {
    method_->PackWeights(PictureWeights(weights).data(), packed);
  }
  int64_t work_item_count() const override {
    return shape_.batch * shape_.planes.output * method_->work_item_count();
  }
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  int64_t input_blocks() const;  // of an image
  std::vector<int8_t> PictureWeights(const int8_t* weights) const;
  // Of the picture that is that plane of the output. input_blocks: room for
  // where the blocks of its input begin.
  IntegerConvolutionOperands OperandsOf(
      const IntegerConvolutionOperands& operands, int64_t image, int64_t plane,
      const void** input_blocks) const;

  const IntegerConvolutionShape shape_;
  const IntegerConvolutionShape picture_;
  std::unique_ptr<const IntegerMethod> method_;
  std::string form_;
  // A block of channels of a plane in padding.
  std::vector<uint8_t> padding_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_VOLUME_METHOD_H_
