#include "dovetail/backends/gpu/custom/names.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/common/custom/attribute_texts.h"
#include "dovetail/backends/gpu/custom/macros.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"

namespace dovetail::gpu {
namespace {

// Of an input that is left out: that of a scalar.
Shape StaticShape(Value value) {
  return !value ? Shape() : value.shape().ToShape().value_or(Shape());
}

template <typename T>
std::string Bytes(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
absl::StatusOr<std::string> IntegerBytes(int64_t value) {
  const bool fits = static_cast<int64_t>(static_cast<T>(value)) == value &&
                    (value >= 0 || std::is_signed_v<T>);
  if (fits) return Bytes(static_cast<T>(value));
  return InvalidArgument("it is ", value, ", which the type does not hold");
}

struct IntegerType {
  absl::string_view name;
  absl::StatusOr<std::string> (*bytes)(int64_t);
};
constexpr IntegerType kIntegerTypes[] = {
    {"char", &IntegerBytes<int8_t>},   {"uchar", &IntegerBytes<uint8_t>},
    {"short", &IntegerBytes<int16_t>}, {"ushort", &IntegerBytes<uint16_t>},
    {"int", &IntegerBytes<int32_t>},   {"uint", &IntegerBytes<uint32_t>},
    {"long", &IntegerBytes<int64_t>},  {"ulong", &IntegerBytes<uint64_t>},
};

}  // namespace

absl::StatusOr<CustomNames> CustomNames::Of(const CustomKernel& kernel,
                                            const Node& node) {
  CustomNames names(kernel, node);
  names.attributes_ = AttributeTexts(node.attributes());
  const int input = kernel.work_sizes.input;
  if (input >= node.input_count()) {
    return InvalidArgument("<WorkSizes dim=\"input,", input,
                           "\">: the layer has ", node.input_count(),
                           " inputs");
  }
  const Shape shape = input < 0 ? node.port().shape.ToShape().value_or(Shape())
                                : StaticShape(node.input(input));
  const int count = std::min(4, shape.rank());
  for (int i = 0; i < count; ++i) {
    if (input < 0) {
      names.sizes_[i] = shape[i];
    } else {
      names.sizes_[3 - i] = shape[shape.rank() - 1 - i];
    }
  }
  return names;
}

absl::StatusOr<int64_t> CustomNames::Evaluate(absl::string_view text) const {
  return EvaluateSizeExpression(
      text,
      [&](absl::string_view name, int64_t index) { return Find(name, index); });
}

std::optional<int64_t> CustomNames::Find(absl::string_view name,
                                         int64_t index) const {
  if (index == -1) {
    constexpr absl::string_view kLetters = "BFYX";
    const size_t at = name.size() == 1
                          ? kLetters.find(absl::ascii_toupper(name[0]))
                          : absl::string_view::npos;
    const auto define = FindDefine(name);
    if (define.has_value() || at == absl::string_view::npos) return define;
    return sizes_[at];
  }
  const bool is_input = absl::ConsumePrefix(&name, "INPUT");
  int port = -1;
  const bool is_port = (is_input || absl::ConsumePrefix(&name, "OUTPUT")) &&
                       absl::ConsumeSuffix(&name, "_DIMS") &&
                       absl::SimpleAtoi(name, &port) && 0 <= port && index < 4;
  if (!is_port) return std::nullopt;
  if (port >= (is_input ? node_.input_count() : node_.output_count())) {
    return std::nullopt;
  }
  const Shape shape = is_input
                          ? StaticShape(node_.input(port))
                          : node_.port(port).shape.ToShape().value_or(Shape());
  return FourDims(shape)[index];
}

std::optional<int64_t> CustomNames::FindDefine(absl::string_view name) const {
  for (const CustomDefine& define : kernel_.defines) {
    if (define.name != name) continue;
    const auto it = attributes_.find(define.param);
    int64_t value = 0;
    if (absl::SimpleAtoi(it == attributes_.end() ? define.fallback : it->second,
                         &value)) {
      return value;
    }
  }
  return std::nullopt;
}

absl::StatusOr<std::string> CustomNames::TextOf(
    const CustomScalar& scalar) const {
  const auto it = attributes_.find(scalar.param);
  if (it == attributes_.end()) {
    if (!scalar.value.empty()) return scalar.value;
    return InvalidArgument("the layer has no attribute '", scalar.param,
                           "', and there is no 'value'");
  }
  if (scalar.element < 0) return it->second;
  const std::vector<std::string> list = absl::StrSplit(it->second, ',');
  if (scalar.element < static_cast<int>(list.size())) {
    return list[scalar.element];
  }
  return InvalidArgument("attribute '", scalar.param, "' of the layer has ",
                         list.size(), " elements, and no ", scalar.element);
}

absl::StatusOr<std::string> CustomNames::BytesOf(
    const CustomScalar& scalar) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text, TextOf(scalar));
  for (const IntegerType& type : kIntegerTypes) {
    if (type.name != scalar.type) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t value, Evaluate(text));
    return type.bytes(value);
  }
  double value = 0;
  if (!absl::SimpleAtod(text, &value)) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t integer, Evaluate(text));
    value = static_cast<double>(integer);
  }
  return scalar.type == "float" ? Bytes(static_cast<float>(value))
                                : Bytes(value);
}

}  // namespace dovetail::gpu
