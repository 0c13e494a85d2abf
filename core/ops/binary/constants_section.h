// The elements of large constants, apart from the model that they belong to: in
// a section of a container, or left in the file that they come from. So they
// are written from where they lie, and read as views of the mapped file.
#ifndef DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_
#define DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
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

  // The container's writer outlives this one. Who reads the model with
  // Checking::kWhenNeeded wants the constants that are always read, biases and
  // such, with the model's own bytes: `least_bytes` then is more.
  ConstantsWriter(BlobWriter* blob, WeightsPlace place,
                  int64_t least_bytes = kLeastBytes)
      : blob_(*blob), place_(place), least_bytes_(least_bytes) {}

  // Whether the tensor's elements should go here.
  bool Takes(const Tensor& tensor) const;

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
  int64_t least_bytes_;
  bool open_ = false;
  // Offset in the section by address and size.
  std::map<std::pair<const void*, int64_t>, uint64_t> written_;
  std::vector<FileIdentity> files_;
};

// Gives ReadModel the elements back: views that keep the mapped file.
class ConstantsReader {
 public:
  // When elements in the container are compared with their checksums: all of
  // them before the first is given, or each by CheckDeferred
  // (core/blob/deferred_check.h), which whoever reads elements then has to
  // call.
  enum class Checking { kAtOnce, kWhenNeeded };

  explicit ConstantsReader(BlobReader blob,
                           Checking checking = Checking::kAtOnce)
      : blob_(std::move(blob)), checking_(checking) {}

  // What Write has noted. kDataLoss when there are no such elements; the
  // errors of BlobReader::Section.
  absl::StatusOr<Tensor> Read(ElementType type, const Shape& shape,
                              ByteReader& reader);

 private:
  absl::StatusOr<BlobBytes> Section(const std::string& name);
  // What keeps elements, and notes that they have not been compared.
  std::shared_ptr<const void> OwnerOf(const BlobBytes& bytes, uint64_t offset,
                                      uint64_t size);

  BlobReader blob_;
  Checking checking_;
  // Of elements that several constants share, by offset and size.
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<const void>> owners_;
  std::map<std::string, BlobBytes> sections_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_BINARY_CONSTANTS_SECTION_H_
