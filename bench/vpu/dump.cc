#include "dovetail/bench/vpu/dump.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using Row = std::map<std::string, std::string>;

absl::Status ReadNumber(const Row& row, const std::string& key,
                        int64_t& number) {
  const auto found = row.find(key);
  if (found == row.end() || found->second.empty()) return absl::OkStatus();
  if (!absl::SimpleAtoi(found->second, &number)) {
    return InvalidArgument("column '", key, "' is '", found->second,
                           "', not a number");
  }
  return absl::OkStatus();
}

absl::Status ReadShape(const Row& row, ConvShape& shape) {
  const std::pair<const char*, int64_t*> columns[] = {
      {"in_c", &shape.in_channels}, {"out_c", &shape.out_channels},
      {"in_w", &shape.in_width},    {"in_h", &shape.in_height},
      {"out_w", &shape.out_width},  {"out_h", &shape.out_height},
      {"k_w", &shape.kernel_x},     {"k_h", &shape.kernel_y},
      {"stride", &shape.stride},    {"pad_l", &shape.pad_x},
      {"pad_t", &shape.pad_y}};
  for (const auto& [key, number] : columns) {
    DOVETAIL_RETURN_IF_ERROR(ReadNumber(row, key, *number));
  }
  return absl::OkStatus();
}

LayerKind KindOf(const std::string& type) {
  static const auto& kinds = *new std::map<std::string, LayerKind>{
      {"<Extra>", LayerKind::kInput},
      {"Convolution", LayerKind::kConvolution},
      {"FullyConnected", LayerKind::kConvolution},
      {"Pooling", LayerKind::kPool},
      {"Eltwise", LayerKind::kBinary},
      {"Concat", LayerKind::kConcat},
      {"Reshape", LayerKind::kCopy},
  };
  const auto found = kinds.find(type);
  return found == kinds.end() ? LayerKind::kUnary : found->second;
}

absl::StatusOr<Layer> LayerOf(const Row& row) {
  Layer layer;
  layer.name = row.at("layer");
  layer.type = row.at("layer_type");
  layer.kind = KindOf(layer.type);
  if (layer.kind == LayerKind::kPool) {
    const auto pool = row.find("pool");
    const bool is_mean = pool != row.end() && pool->second == "AVG";
    layer.type = is_mean ? "AvgPool" : "MaxPool";
  }
  DOVETAIL_RETURN_IF_ERROR(ReadShape(row, layer.shape));
  const ConvShape& shape = layer.shape;
  layer.elements = shape.out_channels * shape.out_width * shape.out_height;
  if (layer.kind == LayerKind::kInput) layer.host_bytes = layer.elements;
  // Tables leave out what goes into other layers; few convolutions of networks
  // have no activation behind them.
  layer.activation = layer.kind == LayerKind::kConvolution ? 1 : 0;
  DOVETAIL_RETURN_IF_ERROR(ReadNumber(row, "macs", layer.macs));
  return layer;
}

// Puts layers in an order in which each reads what came before it, as far as
// shapes tell.
class Connector {
 public:
  explicit Connector(Dump& dump) : dump_(dump) {}

  void Add(Layer layer, double microseconds) {
    Pending pending{std::move(layer), microseconds};
    if (!Place(pending, /*is_last=*/false)) {
      pending_.push_back(std::move(pending));
      return;
    }
    PlacePending();
  }

  void Finish() {
    while (!pending_.empty()) {
      Pending first = std::move(pending_.front());
      pending_.erase(pending_.begin());
      Place(first, /*is_last=*/true);
      PlacePending();
    }
  }

 private:
  struct Pending {
    Layer layer;
    double microseconds;
  };

  // Concatenations first, as others read them.
  void PlacePending() {
    std::stable_partition(pending_.begin(), pending_.end(),
                          [](const Pending& one) {
                            return one.layer.kind == LayerKind::kConcat;
                          });
    for (size_t i = 0; i < pending_.size();) {
      if (!Place(pending_[i], /*is_last=*/false)) {
        ++i;
        continue;
      }
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
  }

  bool Place(Pending& pending, bool is_last) {
    Layer& layer = pending.layer;
    const ConvShape& s = layer.shape;
    if (layer.kind == LayerKind::kConcat) {
      layer.inputs = PartsOf(s.out_channels, s.out_width, s.out_height, false);
    } else if (layer.kind != LayerKind::kInput) {
      layer.inputs = InputsOf(layer);
      if (layer.kind == LayerKind::kConvolution) TakePadding(layer);
    }
    const size_t wanted = layer.kind == LayerKind::kInput    ? 0
                          : layer.kind == LayerKind::kBinary ? 2
                                                             : 1;
    if (layer.inputs.size() < wanted && !is_last) return false;
    Append(std::move(layer), pending.microseconds);
    return true;
  }

  // Shapes are those of the network before it was converted, where a padding by
  // half the window stands in front of a convolution; converted, it is the
  // convolution's own.
  void TakePadding(Layer& layer) const {
    if (layer.inputs.size() != 1) return;
    const ConvShape& output = dump_.network[layer.inputs.front()].shape;
    ConvShape& s = layer.shape;
    if (s.in_width <= output.out_width || s.in_height <= output.out_height) {
      return;
    }
    s.in_width = output.out_width;
    s.in_height = output.out_height;
    s.pad_x = s.kernel_x / 2;
    s.pad_y = s.kernel_y / 2;
  }

  void Append(Layer layer, double microseconds) {
    for (const int input : layer.inputs) is_read_[input] = true;
    dump_.network.push_back(std::move(layer));
    dump_.microseconds.push_back(microseconds);
    is_read_.push_back(false);
  }

  // The latest outputs of a shape, those that nobody has read yet first; then a
  // concatenation of all that nobody has read; then those that were read,
  // concatenations first; else one that lacks a few columns of padding.
  std::vector<int> InputsOf(const Layer& layer) {
    const ConvShape& s = layer.shape;
    const size_t wanted = layer.kind == LayerKind::kBinary ? 2 : 1;
    std::vector<int> same;
    for (int i = Count() - 1; i >= 0; --i) {
      const ConvShape& output = dump_.network[i].shape;
      if (output.out_channels == s.in_channels &&
          output.out_width == s.in_width && output.out_height == s.in_height) {
        same.push_back(i);
      }
    }
    const auto rank = [&](int i) {
      if (!is_read_[i]) return 0;
      return dump_.network[i].kind == LayerKind::kConcat ? 1 : 2;
    };
    std::stable_sort(same.begin(), same.end(),
                     [&](int a, int b) { return rank(a) < rank(b); });
    if (wanted == 1 && (same.empty() || is_read_[same.front()])) {
      const int whole = Concatenate(s, /*all=*/!same.empty());
      if (whole >= 0) return {whole};
      if (same.empty()) return Padded(s);
    }
    if (same.size() > wanted) same.resize(wanted);
    return same;
  }

  std::vector<int> Padded(const ConvShape& s) const {
    constexpr int64_t kMostPadding = 8;
    for (int i = Count() - 1; i >= 0; --i) {
      const ConvShape& output = dump_.network[i].shape;
      const int64_t added = s.in_width - output.out_width;
      if (output.out_channels == s.in_channels && added > 0 &&
          added <= kMostPadding) {
        return {i};
      }
    }
    return {};
  }

  // Outputs that nobody has read and that make up so many channels: all of that
  // size, or else the latest ones; none where they do not.
  std::vector<int> PartsOf(int64_t channels, int64_t width, int64_t height,
                           bool all) const {
    std::vector<int> parts;
    for (int i = Count() - 1; i >= 0 && (all || channels > 0); --i) {
      const ConvShape& output = dump_.network[i].shape;
      if (is_read_[i] || output.out_width != width ||
          output.out_height != height) {
        continue;
      }
      channels -= output.out_channels;
      parts.insert(parts.begin(), i);
    }
    if (channels != 0 || parts.size() < 2) parts.clear();
    return parts;
  }

  // A concatenation that took no time, so that no table has it; -1 for none.
  int Concatenate(const ConvShape& reader, bool all) {
    Layer layer;
    layer.kind = LayerKind::kConcat;
    layer.type = "Concat";
    layer.name = "concat";
    layer.inputs =
        PartsOf(reader.in_channels, reader.in_width, reader.in_height, all);
    if (layer.inputs.empty()) return -1;
    ConvShape& s = layer.shape;
    s.in_channels = s.out_channels = reader.in_channels;
    s.in_width = s.out_width = reader.in_width;
    s.in_height = s.out_height = reader.in_height;
    layer.elements = s.out_channels * s.out_width * s.out_height;
    Append(std::move(layer), 0);
    return Count() - 1;
  }

  int Count() const { return static_cast<int>(dump_.network.size()); }

  Dump& dump_;
  std::vector<Pending> pending_;
  std::vector<bool> is_read_;
};

absl::Status Add(const Row& row, Connector& connector) {
  DOVETAIL_ASSIGN_OR_RETURN(Layer layer, LayerOf(row));
  int64_t microseconds = 0;
  DOVETAIL_RETURN_IF_ERROR(ReadNumber(row, "time_us", microseconds));
  connector.Add(std::move(layer), static_cast<double>(microseconds));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Dump> ParseDump(absl::string_view text) {
  Dump dump;
  Connector connector(dump);
  std::vector<std::string> header;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::vector<std::string> cells = absl::StrSplit(line, '\t');
    if (header.empty()) {
      header = cells;
      continue;
    }
    Row row = {{"layer", ""}, {"layer_type", ""}};
    for (size_t i = 0; i < std::min(header.size(), cells.size()); ++i) {
      row[header[i]] = cells[i];
    }
    const absl::Status added = Add(row, connector);
    if (!added.ok()) {
      return InvalidArgument("line ", number, ": ", added.message());
    }
  }
  connector.Finish();
  return dump;
}

}  // namespace dovetail::vpu
