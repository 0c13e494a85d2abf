#include "dovetail/core/ops/binary/constants_section.h"

#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"

namespace dovetail {
namespace {

constexpr absl::string_view kConstants = "constants";
// How the model's bytes say where elements are.
constexpr uint8_t kInSection = 0;
constexpr uint8_t kInFile = 1;

// Pages of a mapped file that were read only to be written elsewhere are not
// worth their memory.
constexpr int64_t kForgetBytes = 1 << 16;

std::string FileSection(uint64_t number) {
  return absl::StrCat("weights.", number);
}

absl::string_view BytesOf(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.address()),
          static_cast<size_t>(tensor.byte_size())};
}

}  // namespace

bool ConstantsWriter::Takes(const Tensor& tensor) const {
  return tensor.has_data() && tensor.type() != ElementType::kString &&
         tensor.byte_size() >= least_bytes_;
}

absl::Status ConstantsWriter::Write(const Tensor& tensor, ByteWriter& writer) {
  if (!tensor.is_contiguous()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor packed, tensor.Clone());
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t offset, Append(packed));
    writer.Byte(kInSection);
    writer.Number(offset);
    return absl::OkStatus();
  }
  const auto range =
      MappedFile::RangeOf(tensor.address(), BytesOf(tensor).size());
  if (range.has_value() && MayRefer(tensor, *range)) {
    writer.Byte(kInFile);
    writer.Number(NumberOf(range->file));
    writer.Number(range->offset);
    return absl::OkStatus();
  }
  const auto [it, is_new] =
      written_.try_emplace({tensor.address(), tensor.byte_size()}, 0);
  if (is_new) {
    DOVETAIL_ASSIGN_OR_RETURN(it->second, Append(tensor));
  }
  writer.Byte(kInSection);
  writer.Number(it->second);
  return absl::OkStatus();
}

bool ConstantsWriter::MayRefer(const Tensor& tensor,
                               const FileRange& range) const {
  // A file that was being changed when it was mapped would not be known again.
  if (place_ != WeightsPlace::kInTheirFile || !range.file.settled) return false;
  // Another container, say of a cache, may go at any time.
  const char* const begin =
      static_cast<const char*>(tensor.address()) - range.offset;
  return !BlobReader::IsContainer({begin, range.file.size});
}

absl::StatusOr<uint64_t> ConstantsWriter::Append(const Tensor& tensor) {
  if (!open_) {
    DOVETAIL_RETURN_IF_ERROR(blob_.BeginSection(kConstants));
    open_ = true;
  }
  const absl::string_view bytes = BytesOf(tensor);
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t offset, blob_.AppendAligned(bytes));
  if (tensor.byte_size() >= kForgetBytes) {
    MappedFile::ForgetPages(bytes.data(), bytes.size());
  }
  return offset;
}

uint64_t ConstantsWriter::NumberOf(const FileIdentity& file) {
  for (uint64_t i = 0; i < files_.size(); ++i) {
    if (files_[i].path == file.path && files_[i].size == file.size &&
        files_[i].modified_ns == file.modified_ns) {
      return i;
    }
  }
  files_.push_back(file);
  return files_.size() - 1;
}

absl::Status ConstantsWriter::Finish() {
  if (open_) DOVETAIL_RETURN_IF_ERROR(blob_.EndSection());
  open_ = false;
  for (uint64_t i = 0; i < files_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        blob_.AddReference(FileSection(i), {files_[i], 0, files_[i].size}));
  }
  return absl::OkStatus();
}

absl::StatusOr<BlobBytes> ConstantsReader::Section(const std::string& name) {
  const auto [it, is_new] = sections_.try_emplace(name);
  if (is_new) {
    absl::StatusOr<BlobBytes> bytes = checking_ == Checking::kAtOnce
                                          ? blob_.Section(name)
                                          : blob_.UncheckedSection(name);
    if (!bytes.ok()) {
      sections_.erase(it);
      return bytes.status();
    }
    it->second = *std::move(bytes);
  }
  return it->second;
}

std::shared_ptr<const void> ConstantsReader::OwnerOf(const BlobBytes& bytes,
                                                     uint64_t offset,
                                                     uint64_t size) {
  std::shared_ptr<const void>& owner = owners_[{offset, size}];
  if (owner == nullptr) {
    owner = DeferCheck(blob_, std::string(kConstants), bytes, offset, size);
  }
  return owner;
}

absl::StatusOr<Tensor> ConstantsReader::Read(ElementType type,
                                             const Shape& shape,
                                             ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t place, reader.Byte());
  if (place > kInFile) return DataLoss("there is no place ", int{place});
  std::string name(kConstants);
  if (place == kInFile) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t number, reader.Number());
    name = FileSection(number);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t offset, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, Section(name));
  if (offset > bytes.size) {
    return DataLoss("section '", name, "' has ", bytes.size, " bytes, none at ",
                    offset);
  }
  std::shared_ptr<const void> owner = bytes.owner;
  if (checking_ == Checking::kWhenNeeded && place == kInSection) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, ByteSize(type, count));
    owner = OwnerOf(bytes, offset, static_cast<uint64_t>(size));
  }
  absl::StatusOr<Tensor> tensor =
      Tensor::Share(type, shape, static_cast<const char*>(bytes.data) + offset,
                    static_cast<int64_t>(bytes.size - offset), owner);
  if (tensor.ok() || absl::IsResourceExhausted(tensor.status())) return tensor;
  return DataLoss(tensor.status().message());
}

}  // namespace dovetail
