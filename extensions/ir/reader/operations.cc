#include "dovetail/extensions/ir/reader/operations.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::ir {
namespace {

bool IsOneOf(const Layer& layer, absl::Span<const absl::string_view> types) {
  return std::any_of(types.begin(), types.end(),
                     [&](absl::string_view type) { return layer.Is(type); });
}

// Number of the opset that the layer means; 0 for one that is not built in.
// Some writers named opsets that did not have these operations yet. Operations
// internal to OpenVINO (RMS, AUGRUCell, FullyConnected …) come of its
// transformations and are in no file that it reads itself, under any opset.
int OpsetOf(const Layer& layer) {
  static constexpr absl::string_view kMissingInFirst[] = {"MVN", "ROIPooling",
                                                          "ReorgYolo"};
  static constexpr absl::string_view kOnceExperimental[] = {
      "ExperimentalDetectronDetectionOutput",
      "ExperimentalDetectronGenerateProposalsSingleImage",
      "ExperimentalDetectronPriorGridGenerator",
      "ExperimentalDetectronROIFeatureExtractor",
      "ExperimentalDetectronTopKROIs",
      "GRUCell",
      "RNNCell",
      "Proposal"};
  if (layer.version == "experimental" || layer.version == "extension") {
    return IsOneOf(layer, kOnceExperimental) ? 6 : 0;
  }
  absl::string_view digits = layer.version;
  int opset = 0;
  if (!absl::ConsumePrefix(&digits, "opset") ||
      !absl::SimpleAtoi(digits, &opset) || opset < 1 ||
      opset > OpsetRange::kLatest) {
    return 0;
  }
  return opset == 1 && IsOneOf(layer, kMissingInFirst) ? 2 : opset;
}

absl::Status UnknownOpset(const Layer& layer) {
  return Unimplemented(layer.Describe(), ": attribute 'version': opset '",
                       layer.version, "' is neither one of opset1 to opset",
                       OpsetRange::kLatest, " nor does an extension bring it ",
                       "with an operation '", layer.type, "'");
}

// Unknown operations of a file.
class Unknown {
 public:
  explicit Unknown(const OpLookup& find_op) : find_op_(find_op) {}

  // The layer and, where it has bodies, those in them, `depth` levels down.
  void Look(const Layer& layer, int depth) {
    const absl::Status found = FindOperation(layer, find_op_).status();
    if (!found.ok()) Note(layer, found);
    if (depth == 0) return;
    for (const char* body : {"body", "then_body", "else_body"}) {
      for (const pugi::xml_node& xml :
           layer.xml.child(body).child("layers").children("layer")) {
        Layer inner;
        inner.xml = xml;
        inner.name = xml.attribute("name").value();
        inner.type = xml.attribute("type").value();
        inner.version = xml.attribute("version").value();
        Look(inner, depth - 1);
      }
    }
  }

  absl::Status ToStatus() const {
    if (count_ < 2) return absl::OkStatus();
    std::string list;
    for (const auto& [operation, layers] : layers_) {
      absl::StrAppend(&list, list.empty() ? " " : "; ", "'", operation.first,
                      "' of '", operation.second, "': ", Named(layers));
    }
    return absl::Status(
        code_, absl::StrCat(count_,
                            " layers are operations that nobody knows, "
                            "neither opset1 to opset",
                            OpsetRange::kLatest, " nor an extension:", list));
  }

 private:
  void Note(const Layer& layer, const absl::Status& found) {
    if (count_ == 0) code_ = found.code();
    ++count_;
    layers_[{std::string(layer.type), std::string(layer.version)}].push_back(
        std::string(layer.name));
  }

  // The first of them by name: a file may have thousands.
  static std::string Named(const std::vector<std::string>& layers) {
    constexpr size_t kMost = 8;
    std::string text = layers.size() == 1 ? "layer" : "layers";
    for (size_t i = 0; i < std::min(layers.size(), kMost); ++i) {
      absl::StrAppend(&text, i == 0 ? " '" : ", '", layers[i], "'");
    }
    if (layers.size() > kMost) {
      absl::StrAppend(&text, " and ", layers.size() - kMost, " more");
    }
    return text;
  }

  const OpLookup& find_op_;
  int count_ = 0;
  absl::StatusCode code_ = absl::StatusCode::kOk;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>>
      layers_;
};

}  // namespace

absl::StatusOr<const OpInfo*> FindOperation(const Layer& layer,
                                            const OpLookup& find_op) {
  if (find_op) {
    const OpInfo* op = find_op(layer.type, layer.version);
    if (op != nullptr) return op;
  }
  const int opset = OpsetOf(layer);
  if (opset == 0) return UnknownOpset(layer);
  absl::StatusOr<const OpInfo*> op = FindOpInOpset(layer.type, opset);
  if (op.ok()) return op;
  return layer.Error(absl::StrCat("opset", opset, " has no operation '",
                                  layer.type, "': ", op.status().message()));
}

absl::Status CheckOperations(const std::vector<Layer>& layers,
                             const std::vector<int>& order,
                             const ReadOptions& options) {
  Unknown unknown(options.find_op);
  for (int i : order) unknown.Look(layers[i], options.limits.max_body_depth);
  return unknown.ToStatus();
}

}  // namespace dovetail::ir
