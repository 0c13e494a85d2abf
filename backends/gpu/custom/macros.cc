#include "dovetail/backends/gpu/custom/macros.h"

#include <array>
#include <cmath>
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/core/graph/attributes/each_attribute.h"

namespace dovetail::gpu {
namespace {

using FourSizes = std::array<int64_t, 4>;

// Six decimals, as in sources that others wrote; "1e-12" would be 0 of these.
std::string FloatText(double value) {
  std::string text = absl::StrFormat("%f", value);
  double read = 0;
  const bool is_same = absl::SimpleAtod(text, &read) &&
                       static_cast<float>(read) == static_cast<float>(value);
  return is_same || !std::isfinite(value) ? text
                                          : absl::StrFormat("%.9e", value);
}

// Attributes as values of macros; types that have none are left out.
class Values : public EachAttribute<Values> {
 public:
  using Map = std::map<std::string, std::string>;

  void Each(Name name, bool& v) { Set(name, v ? "1" : "0"); }
  void Each(Name name, int64_t& v) { Set(name, absl::StrCat(v)); }
  void Each(Name name, uint64_t& v) { Set(name, absl::StrCat(v)); }
  void Each(Name name, double& v) { Set(name, FloatText(v)); }
  void Each(Name name, std::string& v) { Set(name, v); }
  void Each(Name name, std::vector<int64_t>& v) {
    Set(name, absl::StrJoin(v, ","));
  }
  void Each(Name name, std::vector<double>& v) {
    Set(name, absl::StrJoin(v, ",", [](std::string* out, double one) {
          out->append(FloatText(one));
        }));
  }
  void Each(Name name, std::vector<std::string>& v) {
    Set(name, absl::StrJoin(v, ","));
  }
  void Each(Name name, ElementType& v) { Set(name, ElementTypeName(v)); }
  void Each(Name, PartialShape&) {}
  void Each(Name, Tensor&) {}

  const Map& map() const { return map_; }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    for (const EnumName& candidate : names) {
      if (candidate.value == value) return Set(name, candidate.name);
    }
  }

 private:
  void Set(Name name, absl::string_view value) {
    map_.emplace(std::string(name), std::string(value));
  }

  Map map_;
};

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

std::map<std::string, std::string> AttributeTexts(
    const Attributes& attributes) {
  Values values;
  attributes.Clone()->Visit(values);
  return values.map();
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
