// A typed, shaped view of memory: what goes into an inference and what comes
// out, what a constant holds, what a kernel reads and writes.
#ifndef DOVETAIL_CORE_TENSOR_TENSOR_H_
#define DOVETAIL_CORE_TENSOR_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/tensor/device_memory.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Distance in bytes between neighbours along each axis. Sub-byte and string
// tensors are always contiguous.
using Strides = absl::InlinedVector<int64_t, 6>;

// Row-major strides of a packed tensor; kInvalidArgument for sizes that
// overflow. Empty for sub-byte types, which have none.
absl::StatusOr<Strides> PackedStrides(ElementType type, const Shape& shape);

// Copying a Tensor copies the view, not the elements: both then see the same
// memory, which lives as long as a view of it that owns it does (owned and
// shared tensors), or as long as the caller keeps it (borrowed tensors).
//
// Threads: const members may be called from any thread; whoever writes
// elements makes sure that nobody else reads them meanwhile.
class Tensor {
 public:
  // Alignment in bytes of memory that Tensor allocates.
  static constexpr size_t kAlignment = 64;

  // No tensor: dynamic type, shape [0], no data.
  Tensor();

  // Memory of its own, zeroed (strings empty). kInvalidArgument for a negative
  // or overflowing shape or a dynamic type; kResourceExhausted when there is
  // not that much memory.
  static absl::StatusOr<Tensor> Allocate(ElementType type, const Shape& shape);
  // The same without zeroing the elements.
  static absl::StatusOr<Tensor> AllocateUninitialized(ElementType type,
                                                      const Shape& shape);

  // A view of the caller's memory, which has to outlive every copy of the
  // Tensor. `byte_size` is what the caller has there: kInvalidArgument when
  // the elements do not fit, or when `data` is not aligned for the type.
  static absl::StatusOr<Tensor> Borrow(ElementType type, const Shape& shape,
                                       void* data, int64_t byte_size);
  // The same with distances between neighbours, in bytes (positive multiples of
  // the element size; not for sub-byte types and strings).
  static absl::StatusOr<Tensor> Borrow(ElementType type, const Shape& shape,
                                       void* data, int64_t byte_size,
                                       Strides strides);
  // A view of read-only memory that `owner` keeps alive, such as weights in a
  // mapped file. Data that is not aligned for its type is copied.
  static absl::StatusOr<Tensor> Share(ElementType type, const Shape& shape,
                                      const void* data, int64_t byte_size,
                                      std::shared_ptr<const void> owner);

  // A view of memory that `owner` keeps alive, and that may be written.
  // kInvalidArgument as of Borrow.
  static absl::StatusOr<Tensor> ShareWritable(ElementType type,
                                              const Shape& shape, void* data,
                                              int64_t byte_size,
                                              std::shared_ptr<void> owner);

  // As Share, but data that is not aligned for its type is copied only when
  // somebody first reads elements in place (raw_data, data), once for all views
  // of the tensor, and the copy is kept. Those who read them once (Aligned), or
  // want bytes (address), do without it. Not for strings.
  static absl::StatusOr<Tensor> ShareUnaligned(
      ElementType type, const Shape& shape, const void* data, int64_t byte_size,
      std::shared_ptr<const void> owner);

  // A view of a device's memory, which it keeps alive. Its elements are out of
  // the host's reach: raw_data() is null, single elements read as 0. Clone and
  // CopyFrom copy between device and host; nothing copies by itself, and what
  // takes tensors of the host only refuses it. kInvalidArgument when the packed
  // elements are not exactly `memory`'s bytes, or for strings.
  static absl::StatusOr<Tensor> OnDevice(ElementType type, const Shape& shape,
                                         std::shared_ptr<DeviceMemory> memory);

  // A tensor of its own with these elements, for literals and tests.
  // kInvalidArgument when the number of values is not that of the shape.
  template <typename T>
  static absl::StatusOr<Tensor> FromValues(const Shape& shape,
                                           absl::Span<const T> values);
  // The same by the element type: values are converted (rounded, saturated).
  static absl::StatusOr<Tensor> FromDoubles(ElementType type,
                                            const Shape& shape,
                                            absl::Span<const double> values);

  ElementType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  int rank() const { return shape_.rank(); }
  int64_t element_count() const { return element_count_; }
  // Bytes of the packed elements.
  int64_t byte_size() const { return byte_size_; }
  bool is_contiguous() const { return contiguous_; }
  bool is_read_only() const { return read_only_; }
  // Whether there is memory behind it; a default Tensor has none.
  bool has_data() const { return type_ != ElementType::kDynamic; }
  // The device's memory that it is a view of; null for a tensor of the host.
  const std::shared_ptr<DeviceMemory>& device_memory() const {
    return device_memory_;
  }
  bool is_on_host() const { return device_memory_ == nullptr; }

  // First element. Null only for a default Tensor and one on a device; not to
  // be written through when is_read_only(). Throws std::bad_alloc where it has
  // to copy (ShareUnaligned) and cannot.
  const void* raw_data() const { return aligned_ ? data_ : AlignedCopy(); }
  void* mutable_raw_data() const { return data_; }
  // The elements of a contiguous tensor as C++ values; T must be the type's
  // (float for f32, Float16 for f16, bool or uint8_t for boolean, …).
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(raw_data());
  }
  template <typename T>
  T* mutable_data() const {
    return static_cast<T*>(data_);
  }
  template <typename T>
  absl::Span<const T> span() const {
    return absl::MakeConstSpan(data<T>(), element_count_);
  }
  template <typename T>
  absl::Span<T> mutable_span() const {
    return absl::MakeSpan(mutable_data<T>(), element_count_);
  }

  // Where the bytes of the first element are, whatever its alignment: what tells
  // one memory from another, and where bytes are copied from.
  const void* address() const { return data_; }
  bool is_aligned() const { return aligned_; }
  // This tensor, or where it is not aligned a read-only copy, which goes with
  // the last view of it. kResourceExhausted when there is not that much memory.
  absl::StatusOr<Tensor> Aligned() const;

  // A view of the box [begin, end) of this tensor: same memory, same strides.
  // kOutOfRange when the box is not inside; kUnimplemented for sub-byte types.
  absl::StatusOr<Tensor> Roi(const Shape& begin, const Shape& end) const;
  // A view with the axes in another order: axis i is order[i] of this tensor.
  // kInvalidArgument when `order` is no permutation; kUnimplemented for
  // sub-byte types, strings and tensors on a device.
  absl::StatusOr<Tensor> Permuted(absl::Span<const int> order) const;
  // The same elements under another shape with as many; contiguous only.
  absl::StatusOr<Tensor> Reshape(const Shape& shape) const;

  // A contiguous tensor of its own, on the host, with the same elements.
  absl::StatusOr<Tensor> Clone() const;
  // Copies the elements of `source` (same type and shape, any strides) here.
  // Between a device and the host the host's tensor has to be contiguous.
  absl::Status CopyFrom(const Tensor& source) const;

  // Element number `index` in C order as a number; for any numeric type, any
  // strides. Slow: for tests, printing and small shape tensors.
  double ElementAsDouble(int64_t index) const;
  int64_t ElementAsInt64(int64_t index) const;
  void SetElement(int64_t index, double value) const;  // rounds, saturates

  // Same type, shape and elements bit by bit (so that NaN equals itself);
  // tensors on a device only when they are the same memory.
  bool Equals(const Tensor& other) const;

  // "f32[2,3] {1, 2, 3, …}" with at most `max_elements` elements.
  std::string ToString(int max_elements = 8) const;

 private:
  // A view of no memory yet, of elements that lie side by side.
  static absl::StatusOr<Tensor> Packed(ElementType type, const Shape& shape);
  static absl::StatusOr<Tensor> AllocatePacked(ElementType type,
                                               const Shape& shape, bool zeroed);
  void SetStrides(Strides strides);
  const void* AlignedCopy() const;
  absl::Status CopyThroughDevice(const Tensor& source) const;

  ElementType type_ = ElementType::kDynamic;
  bool contiguous_ = true;
  bool read_only_ = false;
  bool aligned_ = true;  // else owner_ is an UnalignedStorage
  Shape shape_;
  Strides strides_;
  int64_t element_count_ = 0;
  int64_t byte_size_ = 0;
  void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<DeviceMemory> device_memory_;
};

// The ElementType whose elements are T in C++: ElementTypeOf<float>() is kF32.
template <typename T>
constexpr ElementType ElementTypeOf();

// All elements of an integer or float tensor as int64 (floats truncated).
std::vector<int64_t> ToInt64Vector(const Tensor& tensor);
std::vector<double> ToDoubleVector(const Tensor& tensor);

// The elements converted to another type, in a tensor of its own, as the
// operation Convert does it: floats lose their fraction, integers wrap (those
// narrower than a byte too), boolean is `!= 0`; element_cast.h says what
// becomes of floats out of range. kUnimplemented between strings and numbers.
absl::StatusOr<Tensor> ConvertTensor(const Tensor& source, ElementType type);

}  // namespace dovetail

#include "dovetail/core/tensor/tensor_inl.h"

#endif  // DOVETAIL_CORE_TENSOR_TENSOR_H_
