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
      {"stride", &shape.stride}};
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
      {"Concat", LayerKind::kCopy},
      {"Reshape", LayerKind::kCopy},
  };
  const auto found = kinds.find(type);
  return found == kinds.end() ? LayerKind::kUnary : found->second;
}

void Connect(Network& network, Layer& layer) {
  const size_t count = layer.kind == LayerKind::kBinary ? 2 : 1;
  for (size_t i = network.size(); i > 0; --i) {
    if (layer.inputs.size() == count) return;
    const ConvShape& output = network[i - 1].shape;
    if (output.out_channels == layer.shape.in_channels &&
        output.out_width == layer.shape.in_width &&
        output.out_height == layer.shape.in_height) {
      layer.inputs.push_back(static_cast<int>(i) - 1);
    }
  }
}

absl::Status Add(const Row& row, Dump& dump) {
  Layer layer;
  layer.name = row.at("layer");
  layer.type = row.at("layer_type");
  layer.kind = KindOf(layer.type);
  DOVETAIL_RETURN_IF_ERROR(ReadShape(row, layer.shape));
  const ConvShape& shape = layer.shape;
  layer.elements = shape.out_channels * shape.out_width * shape.out_height;
  if (layer.kind == LayerKind::kInput) layer.host_bytes = layer.elements;
  DOVETAIL_RETURN_IF_ERROR(ReadNumber(row, "macs", layer.macs));
  int64_t microseconds = 0;
  DOVETAIL_RETURN_IF_ERROR(ReadNumber(row, "time_us", microseconds));
  Connect(dump.network, layer);
  dump.network.push_back(std::move(layer));
  dump.microseconds.push_back(static_cast<double>(microseconds));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Dump> ParseDump(absl::string_view text) {
  Dump dump;
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
    const absl::Status added = Add(row, dump);
    if (!added.ok()) {
      return InvalidArgument("line ", number, ": ", added.message());
    }
  }
  return dump;
}

}  // namespace dovetail::vpu
