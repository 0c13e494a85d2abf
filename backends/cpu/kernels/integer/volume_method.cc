#include "dovetail/backends/cpu/kernels/integer/volume_method.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kAlignment = 64;

IntegerConvolutionShape PictureOf(IntegerConvolutionShape shape) {
  shape.batch = 1;
  shape.inputs = shape.planes.kernel * DivideUp(shape.inputs, kChannelBlock) *
                 kChannelBlock;
  shape.planes = WindowAxis();
  return shape;
}

}  // namespace

bool VolumeIntegerMethod::IsFitting(const IntegerConvolutionShape& shape) {
  return shape.is_volume() && shape.groups == 1 && shape.zero_points.empty();
}

VolumeIntegerMethod::VolumeIntegerMethod(const IntegerConvolutionShape& shape,
                                         const int8_t* weights, int threads,
                                         const MakeIntegerMethod& make)
    : shape_(shape), picture_(PictureOf(shape)) {
  // Planes are shared among threads before parts of them are.
  const int64_t all = shape.batch * shape.planes.output;
  // The choice does not hang on the order of channels.
  std::vector<int8_t> filled_up;
  if (shape.inputs % kChannelBlock != 0) {
    filled_up = PictureWeights(weights);
    weights = filled_up.data();
  }
  method_ = make(picture_, {weights}, static_cast<int>(DivideUp(threads, all)));
  form_ = absl::StrCat(method_->weights_form(), " of volumes");
  padding_.assign(shape.rows.input * shape.columns.input * kChannelBlock,
                  static_cast<uint8_t>(shape.zero_point));
}

int64_t VolumeIntegerMethod::input_blocks() const {
  return picture_.inputs / kChannelBlock;
}

int64_t VolumeIntegerMethod::scratch_bytes() const {
  const int64_t pointers = input_blocks() * int64_t{sizeof(void*)};
  return DivideUp(pointers, kAlignment) * kAlignment + method_->scratch_bytes();
}

std::vector<int8_t> VolumeIntegerMethod::PictureWeights(
    const int8_t* weights) const {
  const int64_t taps = shape_.rows.kernel * shape_.columns.kernel;
  const int64_t of_plane = picture_.inputs / shape_.planes.kernel * taps;
  std::vector<int8_t> picture(shape_.outputs * picture_.inputs * taps);
  int8_t* to = picture.data();
  for (int64_t o = 0; o < shape_.outputs; ++o, to += picture_.inputs * taps) {
    for (int64_t i = 0; i < shape_.inputs; ++i) {
      for (int64_t p = 0; p < shape_.planes.kernel; ++p, weights += taps) {
        std::copy_n(weights, taps, to + p * of_plane + i * taps);
      }
    }
  }
  return picture;
}

IntegerConvolutionOperands VolumeIntegerMethod::OperandsOf(
    const IntegerConvolutionOperands& operands, int64_t image, int64_t plane,
    const void** input_blocks) const {
  const WindowAxis& planes = shape_.planes;
  const int64_t blocks = this->input_blocks() / planes.kernel;
  const int64_t plane_bytes = std::ssize(padding_);
  const void** block = input_blocks;
  for (int64_t tap = 0; tap < planes.kernel; ++tap) {
    const int64_t from =
        plane * planes.stride - planes.pad + tap * planes.dilation;
    for (int64_t b = 0; b < blocks; ++b, ++block) {
      const int64_t number = (image * blocks + b) * planes.input + from;
      *block = from < 0 || from >= planes.input
                   ? padding_.data()
                   : operands.BlockOfInput(number, plane_bytes);
    }
  }
  const int64_t pixels = shape_.rows.output * shape_.columns.output;
  const int64_t before =
      (image * DivideUp(shape_.outputs, kChannelBlock) * planes.output +
       plane) *
      pixels;
  IntegerConvolutionOperands of = operands.FromOutput(before * kChannelBlock);
  of.input_blocks = input_blocks;
  of.output_step = planes.output * pixels;
  return of;
}

void VolumeIntegerMethod::Run(const IntegerConvolutionOperands& operands,
                              int64_t first, int64_t count,
                              void* scratch) const {
  const auto input_blocks = static_cast<const void**>(scratch);
  void* const rest =
      static_cast<char*>(scratch) + scratch_bytes() - method_->scratch_bytes();
  const int64_t of_plane = method_->work_item_count();
  for (const int64_t end = first + count; first < end;) {
    const int64_t number = first / of_plane;
    const int64_t part = first % of_plane;
    const int64_t parts = std::min(of_plane - part, end - first);
    method_->Run(OperandsOf(operands, number / shape_.planes.output,
                            number % shape_.planes.output, input_blocks),
                 part, parts, rest);
    first += parts;
  }
}

}  // namespace dovetail::cpu
