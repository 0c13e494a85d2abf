// Sizes of a layer, as a custom kernel's expressions name them.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_SIZES_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_SIZES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// Of static shapes. Kernel and node outlive it.
class LayerSizes {
 public:
  // kInvalidArgument, with the argument's name and place, for an argument of
  // images that the layer does not have.
  static absl::StatusOr<LayerSizes> Of(const ShaveKernel& kernel,
                                       const Node& node);

  // How many images there are, each of which is a launch.
  int64_t images() const { return images_; }
  // Texts of the layer's attributes by their names.
  const std::map<std::string, std::string>& attributes() const {
    return attributes_;
  }

  // kInvalidArgument where the layer has no such port.
  absl::StatusOr<Shape> ShapeOf(bool is_output, int port) const;
  // Whether the first axis of a tensor of this shape is that of the images.
  bool IsLooped(const ShaveArgument& argument, const Shape& shape) const;

  // Letters (B, F, Y, X) are extents of `dim`, of one image; other names are
  // attributes that are whole numbers or lists of them.
  absl::StatusOr<int64_t> Evaluate(absl::string_view text,
                                   const ShaveDim& dim) const;

 private:
  struct Extents {
    int64_t b = 1, f = 1, y = 1, x = 1;
  };

  LayerSizes(const ShaveKernel& kernel, const Node& node);
  bool IsOfImages(const ShaveArgument& argument) const;
  absl::Status FindImages();
  static Extents ExtentsOf(const Shape& shape, bool is_bf, bool is_looped);
  absl::StatusOr<Extents> ExtentsOf(const ShaveDim& dim) const;
  std::optional<int64_t> Named(const Extents& extents, absl::string_view name,
                               int64_t index) const;

  const ShaveKernel& kernel_;
  const Node& node_;
  std::map<std::string, std::string> attributes_;
  int64_t images_ = 1;
};

// Whether it is a tensor of the layer.
bool IsTensor(const ShaveArgument& argument);

// An error of an argument, with its name and place in the file.
absl::Status ArgumentError(const ShaveArgument& argument,
                           absl::string_view message);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_SIZES_H_
