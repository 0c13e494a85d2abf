#include "dovetail/extensions/ir/fuzz/one_input.h"

#include <cstring>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/writer.h"

namespace dovetail::ir {
namespace {

absl::StatusOr<std::unique_ptr<Model>> Read(absl::string_view xml,
                                            absl::string_view weights) {
  auto bytes = Tensor::Allocate(ElementType::kU8,
                                Shape({static_cast<int64_t>(weights.size())}));
  if (!bytes.ok()) return bytes.status();
  if (!weights.empty()) {
    std::memcpy(bytes->mutable_raw_data(), weights.data(), weights.size());
  }
  return ReadIrFromMemory(xml, *bytes);
}

std::string Broken(absl::string_view promise, const absl::Status& status) {
  return absl::StrCat(promise, ": ", status.ToString());
}

}  // namespace

std::string TryOneInput(absl::string_view data) {
  const size_t end = data.find('\0');
  const absl::string_view xml = data.substr(0, end);
  const absl::string_view weights =
      end == absl::string_view::npos ? "" : data.substr(end + 1);
  LooksLikeIr(xml);
  const auto model = Read(xml, weights);
  if (!model.ok()) {
    return model.status().message().empty() ? "an error without a message" : "";
  }
  if (absl::Status valid = (*model)->Verify(); !valid.ok()) {
    return Broken("what was read is not valid", valid);
  }
  if ((*model)->ToString().empty() && (*model)->node_count() > 0) {
    return "what was read prints nothing";
  }
  const auto files = WriteIrToMemory(**model);
  if (!files.ok()) {
    // Numeric character references can make names that are no text.
    return absl::StrContains(files.status().message(), "UTF-8")
               ? ""
               : Broken("what was read cannot be written", files.status());
  }
  const auto again = Read(files->xml, files->weights);
  if (!again.ok()) {
    return Broken("what was written cannot be read", again.status());
  }
  const absl::Status same = Model::Compare(**model, **again, true);
  // See WriteIr on names that end in a backslash.
  const bool is_known_loss =
      absl::StrContains(same.message(), "tensor names") &&
      absl::StrContains(xml, "\\");
  if (same.ok() || is_known_loss) return "";
  return Broken("reading it again gives another model", same);
}

}  // namespace dovetail::ir
