#include "dovetail/backends/cpu/onednn/descriptors.h"

#include "dovetail/backends/cpu/onednn/isa.h"

namespace dovetail::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

// By layout and rank - 3.
constexpr Tag kTags[4][3] = {
    {Tag::abc, Tag::abcd, Tag::abcde},
    {Tag::acb, Tag::acdb, Tag::acdeb},
    {Tag::aBc8b, Tag::aBcd8b, Tag::aBcde8b},
    {Tag::aBc16b, Tag::aBcd16b, Tag::aBcde16b},
};

dnnl::memory::dims RowMajor(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size());
  dnnl::memory::dim stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

}  // namespace

const dnnl::engine& CpuEngine() {
  static const auto& engine = *[] {
    UsableIsa();  // oneDNN takes a limit only before it makes anything
    return new dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return engine;
}

std::optional<dnnl::memory::data_type> OneDnnType(ElementType type) {
  using Type = dnnl::memory::data_type;
  switch (type) {
    case ElementType::kF32:
      return Type::f32;
    case ElementType::kBf16:
      return Type::bf16;
    case ElementType::kF16:
      return Type::f16;
    case ElementType::kI32:
      return Type::s32;
    case ElementType::kI8:
      return Type::s8;
    case ElementType::kU8:
      return Type::u8;
    default:
      return std::nullopt;
  }
}

dnnl::memory::dims OneDnnDims(const Shape& shape) {
  if (shape.empty()) return {1};
  return dnnl::memory::dims(shape.begin(), shape.end());
}

dnnl::memory::desc Describe(const Shape& shape, const Format& format) {
  const auto type =
      OneDnnType(format.type).value_or(dnnl::memory::data_type::undef);
  const dnnl::memory::dims dims = OneDnnDims(shape);
  if (format.layout == Layout::kPlanar) return {dims, type, RowMajor(dims)};
  return {dims, type, kTags[static_cast<int>(format.layout)][shape.rank() - 3]};
}

dnnl::memory::desc DescribeAny(const Shape& shape, ElementType type) {
  return {OneDnnDims(shape),
          OneDnnType(type).value_or(dnnl::memory::data_type::undef), Tag::any};
}

std::optional<Layout> LayoutOf(const dnnl::memory::desc& desc,
                               const Shape& shape) {
  for (const Layout layout : {Layout::kPlanar, Layout::kChannelsLast,
                              Layout::kBlocked8, Layout::kBlocked16}) {
    if (!CanHaveLayout(shape, layout)) continue;
    Format format;
    format.layout = layout;
    for (const ElementType type :
         {ElementType::kF32, ElementType::kBf16, ElementType::kF16,
          ElementType::kI32, ElementType::kI8, ElementType::kU8}) {
      if (OneDnnType(type) != desc.get_data_type()) continue;
      format.type = type;
      if (Describe(shape, format) == desc) return layout;
    }
  }
  return std::nullopt;
}

}  // namespace dovetail::cpu
