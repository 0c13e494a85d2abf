// The elements of large constants, apart from the model that they belong to: in
// a section of a container, or left in the file that they come from. So they
// are written from where they lie, and read as views of the mapped file.
#ifndef DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_
#define DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/tensor/mapped_file.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Where the container has the elements of constants that are views of a mapped
// file, such as a model's weights.
enum class WeightsPlace {
  kInside,       // with all others, so that the container can go anywhere
  kInTheirFile,  // the file has to be there, unchanged, to read the model
};

// What WriteModel gives the elements of constants to. The first large constant
// opens the section "constants" of the container, so until Finish nothing else
// can be written there; the model's own bytes are a section for afterwards.
// Elements that several constants share are written once.
class ConstantsWriter {
 public:
  // Smaller constants stand with the model's own bytes.
  static constexpr int64_t kLeastBytes = 256;

  // The container's writer outlives this one.
  ConstantsWriter(BlobWriter* blob, WeightsPlace place)
      : blob_(*blob), place_(place) {}

  // Whether the tensor's elements should go here.
  static bool Takes(const Tensor& tensor);

  // Puts the elements of a tensor that it takes into the section, or notes the
  // file that they are in, and tells the model's bytes where they are.
  absl::Status Write(const Tensor& tensor, ByteWriter& writer);

  // Ends the section and adds one, "weights.0", …, for each file.
  absl::Status Finish();

 private:
  // Whether the elements can stay where they are.
  bool MayRefer(const Tensor& tensor, const FileRange& range) const;
  absl::StatusOr<uint64_t> Append(const Tensor& tensor);
  uint64_t NumberOf(const FileIdentity& file);

  BlobWriter& blob_;
  WeightsPlace place_;
  bool open_ = false;
  // Offset in the section by address and size.
  std::map<std::pair<const void*, int64_t>, uint64_t> written_;
  std::vector<FileIdentity> files_;
};

// Gives ReadModel the elements back: views that keep the mapped file.
class ConstantsReader {
 public:
  explicit ConstantsReader(BlobReader blob) : blob_(std::move(blob)) {}

  // What Write has noted. kDataLoss when there are no such elements; the
  // errors of BlobReader::Section.
  absl::StatusOr<Tensor> Read(ElementType type, const Shape& shape,
                              ByteReader& reader);

 private:
  absl::StatusOr<BlobBytes> Section(const std::string& name);

  BlobReader blob_;
  std::map<std::string, BlobBytes> sections_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_
