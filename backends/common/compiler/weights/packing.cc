#include "dovetail/backends/common/compiler/weights/packing.h"

#include <cstddef>
#include <cstdint>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/deferred_check.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/core/tensor/memory/storage.h"

namespace dovetail {
namespace {

constexpr int64_t kManyBytes = 1 << 16;

}  // namespace

absl::Status Packing::Run(int part) {
  std::call_once(claim_, [this] { is_mine_ = packed_->Claim(); });
  if (!is_mine_) return absl::OkStatus();
  const absl::Status status = CatchExceptions([] { return "packing weights"; },
                                              [&] { return RunMine(part); });
  if (!status.ok()) has_failed_ = true;
  if (--left_ == 0) End();
  return status;
}

absl::Status Packing::RunMine(int part) {
  std::call_once(prepare_, [this] { prepared_ = Prepare(); });
  DOVETAIL_RETURN_IF_ERROR(prepared_);
  ClaimPart(part);
  return pack_(prepared_constants_, packed_->data(), part);
}

// As much of the memory as of the work, whether or not the part lies there.
void Packing::ClaimPart(int part) const {
  const int64_t begin = packed_->bytes() * part / parts_;
  const int64_t end = packed_->bytes() * (part + 1) / parts_;
  ClaimPages(static_cast<char*>(packed_->data()) + begin,
             static_cast<size_t>(end - begin));
}

// Sound, and aligned as asked for.
absl::Status Packing::Prepare() {
  prepared_constants_.clear();  // an exception may have ended it before
  for (const Tensor& constant : stored_) {
    DOVETAIL_RETURN_IF_ERROR(CheckDeferred(constant.address()));
    Tensor prepared = constant;
    if (alignment_ == Alignment::kOfType) {
      DOVETAIL_ASSIGN_OR_RETURN(prepared, constant.Aligned());
    }
    prepared_constants_.push_back(std::move(prepared));
  }
  return absl::OkStatus();
}

void Packing::End() {
  prepared_constants_.clear();
  for (const Tensor& constant : stored_) {
    // Of less, the pages are others' too.
    if (constant.byte_size() < kManyBytes) continue;
    MappedFile::ForgetPages(constant.address(),
                            static_cast<size_t>(constant.byte_size()));
  }
  has_failed_ ? packed_->GiveUp() : packed_->SetFilled();
}

absl::Status Packing::Finish() {
  if (is_mine_) return absl::OkStatus();
  while (!packed_->AwaitFilled()) {
    Packing instead(packed_, stored_, pack_, parts_, alignment_);
    absl::Status status;
    for (int part = 0; part < parts_; ++part) status.Update(instead.Run(part));
    DOVETAIL_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
