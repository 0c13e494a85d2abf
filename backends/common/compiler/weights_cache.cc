#include "dovetail/backends/common/compiler/weights_cache.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr absl::string_view kIndex = "packed";

bool IsReadOnly(const PackingKey& key) {
  return absl::c_all_of(key.constants, [](const Tensor& constant) {
    return constant.is_read_only();
  });
}

// What an application may write might have changed since others packed it.
SharedWeights& EntriesFor(const PackingKey& key, SharedWeights& own) {
  return IsReadOnly(key) ? SharedWeights::OfDevices() : own;
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

absl::StatusOr<std::shared_ptr<PackedWeights>> WeightsCache::Find(
    const std::optional<std::string>& stable, const PackingKey& key,
    int64_t bytes) {
  if (stable.has_value()) {
    std::shared_ptr<PackedWeights> imported = FindImported(*stable, bytes);
    ++(imported != nullptr ? imported_count_ : packed_count_);
    if (imported != nullptr) return imported;
  }
  return EntriesFor(key, own_).Get(key, bytes);
}

bool WeightsCache::Has(const PackingKey& key, int64_t bytes) {
  const std::optional<std::string> stable = StableText(key, bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  if (stable.has_value() && imported_.count(*stable) > 0) return true;
  return EntriesFor(key, own_).Has(key, bytes);
}

absl::StatusOr<std::shared_ptr<PackedWeights>> WeightsCache::Get(
    const PackingKey& key, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::optional<std::string> stable = StableText(key, bytes);
  if (!stable.has_value()) return Find(stable, key, bytes);
  Entry& entry = stable_[*stable];
  if (entry.number < 0) entry.number = static_cast<int>(stable_.size());
  if (std::shared_ptr<PackedWeights> packed = entry.packed.lock()) {
    return packed;
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<PackedWeights> packed,
                            Find(stable, key, bytes));
  entry.packed = packed;
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
