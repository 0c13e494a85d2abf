#include "dovetail/backends/gpu/custom/macros.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/custom/attribute_texts.h"
#include "dovetail/backends/gpu/codegen/types.h"

namespace dovetail::gpu {
namespace {

using FourSizes = std::array<int64_t, 4>;

void Define(std::string& text, absl::string_view name,
            absl::string_view value) {
  absl::StrAppend(&text, "#define ", name, value.empty() ? "" : " ", value,
                  "\n");
}

template <typename List>
void DefineArray(std::string& text, absl::string_view name, const List& list) {
  Define(text, absl::StrCat(name, "_SIZE"), absl::StrCat(list.size()));
  const std::string values = absl::StrCat("{ ", absl::StrJoin(list, ", "),
                                          list.empty() ? "0" : "", ", }");
  Define(text, absl::StrCat(name, "_INIT"), values);
  // An array of none is nothing that the language has.
  Define(text, name, absl::StrCat("(int [])", values));
}

absl::string_view FormatName(CustomFormat format) {
  switch (format) {
    case CustomFormat::kByxf:
      return "BYXF";
    case CustomFormat::kFyxb:
      return "FYXB";
    case CustomFormat::kYxfb:
      return "YXFB";
    default:
      return "BFYX";
  }
}

void DefinePort(std::string& text, const CustomPort& port) {
  const FourSizes dims = FourDims(port.shape), none = {};
  const absl::string_view format = FormatName(port.format);
  DefineArray(text, absl::StrCat(port.name, "_DIMS"), dims);
  Define(text, absl::StrCat(port.name, "_TYPE"), ClType(port.type));
  Define(text, absl::StrCat(port.name, "_FORMAT_", format), "");
  DefineArray(text, absl::StrCat(port.name, "_LOWER_PADDING"), none);
  DefineArray(text, absl::StrCat(port.name, "_UPPER_PADDING"), none);
  DefineArray(text, absl::StrCat(port.name, "_PITCHES"),
              FormatPitches(port.shape, port.format));
  Define(text, absl::StrCat(port.name, "_OFFSET"), "0");
}

}  // namespace

std::array<int64_t, 4> FourDims(const Shape& shape) {
  FourSizes dims = {1, 1, 1, 1};
  for (int i = 0; i < 4 && i < shape.rank(); ++i) dims[i] = shape[i];
  return dims;
}

std::array<int64_t, 4> FormatPitches(const Shape& shape, CustomFormat format) {
  constexpr absl::string_view kOrder = "BFYX";
  const FourSizes dims = FourDims(shape);
  const absl::string_view name = FormatName(format);
  FourSizes pitches;
  int64_t pitch = 1;
  for (auto it = name.rbegin(); it != name.rend(); ++it) {
    const size_t axis = kOrder.find(*it);
    pitches[axis] = pitch;
    pitch *= dims[axis];
  }
  return pitches;
}

std::string BuiltInMacros(int inputs, const std::vector<CustomPort>& ports,
                          const std::vector<int64_t>& global,
                          const std::vector<int64_t>& local) {
  std::string text;
  Define(text, "NUM_INPUTS", absl::StrCat(inputs));
  DefineArray(text, "GLOBAL_WORKSIZE", global);
  DefineArray(text, "LOCAL_WORKSIZE", local);
  for (const CustomPort& port : ports) DefinePort(text, port);
  return text;
}

std::string UserMacros(const CustomKernel& kernel,
                       const Attributes& attributes) {
  const auto values = AttributeTexts(attributes);
  std::string text;
  for (const CustomDefine& define : kernel.defines) {
    const auto it = values.find(define.param);
    std::string value = it == values.end() ? define.fallback : it->second;
    if (define.type == "int[]" || define.type == "float[]") {
      value = absl::StrCat("(", define.type, ") {", value, "}");
    }
    Define(text, define.name, value);
  }
  return text;
}

absl::string_view HalfAsFloat() {
  static const auto& text = *[] {
    auto* all = new std::string;
    Define(*all, "vload_half(i, p)", "((p)[i])");
    Define(*all, "vstore_half(v, i, p)", "((p)[i] = (v))");
    for (const char* n : {"", "2", "3", "4", "8", "16"}) {
      Define(*all, absl::StrCat("half", n), absl::StrCat("float", n));
      for (const char* round : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
        Define(*all, absl::StrCat("convert_half", n, round, "(v)"),
               absl::StrCat("convert_float", n, "(v)"));
      }
      if (*n == 0) continue;
      Define(*all, absl::StrCat("vload_half", n, "(i, p)"),
             absl::StrCat("vload", n, "(i, p)"));
      Define(*all, absl::StrCat("vstore_half", n, "(v, i, p)"),
             absl::StrCat("vstore", n, "(v, i, p)"));
    }
    return all;
  }();
  return text;
}

}  // namespace dovetail::gpu
