#include "dovetail/backends/common/compiler/weights_cache.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr absl::string_view kIndex = "packed";

// Identity in this process, while somebody keeps the constants.
std::string LocalText(const PackingKey& key, int64_t bytes) {
  std::string text;
  for (const Tensor& constant : key.constants) {
    absl::StrAppend(&text, reinterpret_cast<uintptr_t>(constant.address()),
                    ViewText(constant), " ");
  }
  return absl::StrCat(text, key.form, ":", bytes);
}

}  // namespace

std::optional<std::string> WeightsCache::StableText(const PackingKey& key,
                                                    int64_t bytes) const {
  std::string text;
  for (const Tensor& constant : key.constants) {
    const std::optional<int> number = numbers_.Find(constant);
    if (!number.has_value()) return std::nullopt;
    absl::StrAppend(&text, *number, ViewText(constant), " ");
  }
  return absl::StrCat(text, key.form, ":", bytes);
}

// ---- Entries ----

std::shared_ptr<PackedWeights> WeightsCache::FindImported(
    const std::string& text, int64_t bytes) {
  const auto it = imported_.find(text);
  if (it == imported_.end()) return nullptr;
  const auto size = source_->SectionSize(it->second);
  if (!size.ok() || *size != static_cast<uint64_t>(bytes)) return nullptr;
  absl::StatusOr<BlobBytes> section = source_->UncheckedSection(it->second);
  if (!section.ok()) return nullptr;
  return std::make_shared<PackedWeights>(*std::move(section));
}

absl::StatusOr<std::shared_ptr<PackedWeights>> WeightsCache::Get(
    const PackingKey& key, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::optional<std::string> stable = StableText(key, bytes);
  // Specialised models come and go, and their constants with them.
  for (auto it = others_.begin(); it != others_.end();) {
    it = it->second.expired() ? others_.erase(it) : std::next(it);
  }
  Entry* const found = stable.has_value() ? &stable_[*stable] : nullptr;
  if (found != nullptr && found->number < 0) {
    found->number = static_cast<int>(stable_.size());
  }
  std::weak_ptr<PackedWeights>& entry =
      found != nullptr ? found->packed : others_[LocalText(key, bytes)];
  if (std::shared_ptr<PackedWeights> packed = entry.lock()) return packed;
  std::shared_ptr<PackedWeights> packed;
  if (stable.has_value()) packed = FindImported(*stable, bytes);
  ++(packed != nullptr ? imported_count_ : packed_count_);
  if (packed == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor memory, Tensor::AllocateUninitialized(
                                                 ElementType::kU8, {bytes}));
    packed = std::make_shared<PackedWeights>(std::move(memory));
  }
  entry = packed;
  return packed;
}

// ---- Export and import ----

absl::Status WeightsCache::Export(absl::string_view platform,
                                  BlobWriter& writer) {
  std::lock_guard<std::mutex> compile_lock(compile_mutex_);
  struct Filled {
    std::string text;
    std::shared_ptr<PackedWeights> packed;
  };
  std::map<int, Filled> filled;  // by number
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [text, entry] : stable_) {
      std::shared_ptr<PackedWeights> packed = entry.packed.lock();
      if (packed == nullptr || !packed->is_filled()) continue;
      filled[entry.number] = {text, std::move(packed)};
    }
  }
  ByteWriter index;
  index.Text(platform);
  index.Number(filled.size());
  int count = 0;
  for (const auto& [number, one] : filled) {
    const auto& [text, packed] = one;
    const std::string section = absl::StrCat(kIndex, "/", count++);
    index.Text(text);
    index.Text(section);
    DOVETAIL_RETURN_IF_ERROR(
        writer.AddSection(section, {static_cast<const char*>(packed->data()),
                                    static_cast<size_t>(packed->bytes())}));
  }
  return writer.AddSection(kIndex, index.bytes());
}

absl::StatusOr<std::vector<std::string>> WeightsCache::Import(
    absl::string_view platform, const BlobReader& reader) {
  std::vector<std::string> sections;
  if (!reader.HasSection(kIndex)) return sections;
  DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes, reader.Section(kIndex));
  ByteReader index(bytes.view());
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view packed_for, index.Text());
  if (packed_for != platform) return sections;
  DOVETAIL_ASSIGN_OR_RETURN(const size_t count, index.Count());
  std::map<std::string, std::string> imported;
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, index.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view section, index.Text());
    imported.emplace(text, section);
    sections.emplace_back(section);
  }
  DOVETAIL_RETURN_IF_ERROR(index.Finish());
  std::lock_guard<std::mutex> lock(mutex_);
  source_ = reader;
  imported_ = std::move(imported);
  return sections;
}

void WeightsCache::Forget(absl::Span<const std::string> sections) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = imported_.begin(); it != imported_.end();) {
    const bool forget = std::find(sections.begin(), sections.end(),
                                  it->second) != sections.end();
    it = forget ? imported_.erase(it) : std::next(it);
  }
}

}  // namespace dovetail
