#include "dovetail/backends/cpu/steps/linear/onednn/matmul_primitive.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/packed_constant.h"
#include "dovetail/backends/cpu/onednn/zero_point.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Type = dnnl::memory::data_type;
using Dims = dnnl::memory::dims;

// How far each product is from the one before; nothing: now so, now so.
std::optional<int64_t> StepOf(const std::vector<int64_t>& offsets) {
  if (offsets.size() < 2) return 0;
  const int64_t step = offsets[1] - offsets[0];
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - 1] != step) return std::nullopt;
  }
  return step;
}

// One for all channels, where that is all there is.
ChannelVector Shortened(const ChannelVector& channels) {
  const auto one = UniformValue(channels);
  return one.has_value() ? ChannelVector{*one} : channels;
}

}  // namespace

bool HasEvenProducts(const MatrixShapes& shapes) {
  const auto a = StepOf(shapes.a.offsets), b = StepOf(shapes.b.offsets);
  return a.has_value() && b.has_value() && shapes.a.offsets[0] == 0 &&
         shapes.b.offsets[0] == 0;
}

bool MatMulPrimitive::Choose(const PlanBuilder& builder) {
  EpilogueSupport support = OneDnnEpilogues(/*channel_axis=*/-1);
  support.takes_integer_residuals = is_integer();
  const Epilogue all =
      FindEpilogue(PlanBuilder::OutputOf(node_), support,
                   [&](Value value) { return builder.IsReady(value); });
  for (size_t length = all.size() + 1; length-- > 0;) {
    epilogue_ = all.First(length);
    result_type_ = is_integer() || epilogue_.type() != ElementType::kF32
                       ? epilogue_.type()
                       : builder.StoredTypeOf(epilogue_.result());
    post_ops_ = PostOps(epilogue_, PostOpOptions(), builder);
    if (!Try()) continue;
    if (!absl::StartsWith(desc_.impl_info_str(), "ref")) return true;
  }
  return false;
}

absl::Status MatMulPrimitive::Emit(PlanBuilder& builder) const {
  std::vector<PrimitiveOperand> inputs;
  DOVETAIL_RETURN_IF_ERROR(AddFactors(builder, inputs));
  DOVETAIL_RETURN_IF_ERROR(AddConstants(builder, inputs));
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<PrimitiveOperand> more,
                            post_ops_.Arguments(desc_, builder));
  std::move(more.begin(), more.end(), std::back_inserter(inputs));
  builder.Fuse(epilogue_.nodes());
  const Operand output =
      builder.Write(epilogue_.result(), {result_type_, Layout::kPlanar});
  AddPrimitive(node_, builder, desc_, std::move(inputs),
               {{DNNL_ARG_DST, Result(), output}});
  return absl::OkStatus();
}

// Blocks of columns outermost, and in each of them blocks of 16 pairs of rows.
std::optional<Bf16Panels> MatMulPrimitive::Panels() const {
  const dnnl::memory::desc weights = desc_.query_md(dnnl::query::weights_md, 0);
  const Dims blocks = weights.get_inner_blks();
  if (weights.get_data_type() != Type::bf16 || weights.get_ndims() != 2 ||
      weights.get_inner_idxs() != Dims{0, 1, 0} || blocks[2] != 2) {
    return std::nullopt;
  }
  const int64_t width = blocks[1];
  const Dims strides = weights.get_strides();
  if (width % kBf16Columns != 0 || width > kMaxBf16Width ||
      strides[0] != blocks[0] * 2 * width) {
    return std::nullopt;
  }
  return Bf16Panels{width, strides[1] / 2};
}

absl::StatusOr<Operand> MatMulPrimitive::ReadWeights(
    PlanBuilder& builder) const {
  const Value b = factors_.b;
  const dnnl::memory::desc to = desc_.query_md(dnnl::query::weights_md, 0);
  if (const Tensor* constant = PlanBuilder::PackableConstantOf(b)) {
    return PackConstant(builder, *constant, WeightsAs(constant->type()), to);
  }
  if (!IsWeightExpression(b)) {
    return builder.Read(b, {factors_.b_type, Layout::kPlanar});
  }
  return PackComputed(
      builder, WeightKey(b), [b] { return EvaluateWeights(b); },
      WeightsAs(b.type()), to);
}

bool MatMulPrimitive::Try() {
  dnnl::primitive_attr attr = ScratchpadAttr();
  post_ops_.AddTo(attr);
  if (!post_ops_.scales().empty()) {
    const bool is_one = UniformValue(post_ops_.scales()).has_value();
    const int columns = 1 << (Weights().get_ndims() - 1);
    attr.set_scales_mask(DNNL_ARG_WEIGHTS, is_one ? 0 : columns);
  }
  if (factors_.a_zero_point != 0) attr.set_zero_points_mask(DNNL_ARG_SRC, 0);
  const dnnl::memory::desc bias =
      post_ops_.bias().empty() ? dnnl::memory::desc() : ForEachColumn();
  const dnnl::matmul::primitive_desc desc(CpuEngine(), Source(), Weights(),
                                          bias, Result(), attr,
                                          /*allow_empty=*/true);
  desc_ = desc;
  return static_cast<bool>(desc_);
}

absl::Status MatMulPrimitive::AddFactors(
    PlanBuilder& builder, std::vector<PrimitiveOperand>& inputs) const {
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand a,
      builder.Read(factors_.a, {factors_.a_type, Layout::kPlanar}));
  inputs.push_back({DNNL_ARG_SRC, Source(), a});
  const dnnl::memory::desc to = desc_.query_md(dnnl::query::weights_md, 0);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand b, ReadWeights(builder));
  inputs.push_back({DNNL_ARG_WEIGHTS, to, b});
  return absl::OkStatus();
}

absl::Status MatMulPrimitive::AddConstants(
    PlanBuilder& builder, std::vector<PrimitiveOperand>& inputs) const {
  if (!post_ops_.bias().empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                              AddChannelConstants(builder, post_ops_.bias()));
    inputs.push_back({DNNL_ARG_BIAS, ForEachColumn(), bias});
  }
  if (!post_ops_.scales().empty()) {
    const ChannelVector numbers = Shortened(post_ops_.scales());
    const dnnl::memory::desc desc({static_cast<int64_t>(numbers.size())},
                                  Type::f32, dnnl::memory::format_tag::a);
    DOVETAIL_ASSIGN_OR_RETURN(const Operand scales,
                              AddChannelConstants(builder, numbers));
    inputs.push_back({DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, desc, scales});
  }
  if (factors_.a_zero_point != 0) {
    DOVETAIL_ASSIGN_OR_RETURN(const PrimitiveOperand zero,
                              AddZeroPoint(factors_.a_zero_point, builder));
    inputs.push_back(zero);
  }
  return absl::OkStatus();
}

// A single product has two axes.
dnnl::memory::desc MatMulPrimitive::Matrices(const MatrixOperand& operand,
                                             int64_t rows, int64_t columns,
                                             ElementType type) const {
  Dims dims = {rows, columns};
  Dims strides = {operand.row_stride, operand.column_stride};
  if (shapes_.batch > 1) {
    const int64_t step = StepOf(operand.offsets).value_or(0);
    dims.insert(dims.begin(), step == 0 ? 1 : shapes_.batch);
    strides.insert(strides.begin(), step == 0 ? rows * columns : step);
  }
  return {dims, *OneDnnType(type), strides};
}

dnnl::memory::desc MatMulPrimitive::Source() const {
  return Matrices(shapes_.a, shapes_.rows, shapes_.depth, factors_.a_type);
}

dnnl::memory::desc MatMulPrimitive::WeightsAs(ElementType type) const {
  return Matrices(shapes_.b, shapes_.depth, shapes_.columns, type);
}

// Constants may lie as the primitive likes.
dnnl::memory::desc MatMulPrimitive::Weights() const {
  const dnnl::memory::desc as_it_is = WeightsAs(factors_.b_type);
  if (!IsWeightExpression(factors_.b)) return as_it_is;
  return {as_it_is.get_dims(), *OneDnnType(factors_.b_type),
          dnnl::memory::format_tag::any};
}

dnnl::memory::desc MatMulPrimitive::Result() const {
  MatrixOperand dense = {shapes_.columns, 1, {0}};
  for (int64_t i = 1; i < shapes_.batch; ++i) {
    dense.offsets.push_back(i * shapes_.rows * shapes_.columns);
  }
  return Matrices(dense, shapes_.rows, shapes_.columns, result_type_);
}

dnnl::memory::desc MatMulPrimitive::ForEachColumn() const {
  const MatrixOperand row = {shapes_.columns, 1,
                             std::vector<int64_t>(shapes_.batch, 0)};
  return Matrices(row, 1, shapes_.columns, ElementType::kF32);
}

PostOps::Options MatMulPrimitive::PostOpOptions() const {
  PostOps::Options options;
  options.channel_axis = -1;
  options.takes_scales = is_integer();
  options.shape = Shape{shapes_.rows, shapes_.columns};
  if (shapes_.batch > 1) options.shape->insert(0, shapes_.batch);
  return options;
}

absl::StatusOr<KernelOffer> OfferMatMul(const MatMulProblem& problem,
                                        const MatMulFactors& factors,
                                        absl::string_view what,
                                        const PlanBuilder& builder) {
  return GuardedCall(what, [&]() -> absl::StatusOr<KernelOffer> {
    const auto product = std::make_shared<MatMulPrimitive>(problem, factors);
    if (!product->Choose(builder)) return Unimplemented("no fast code");
    KernelOffer offer;
    offer.emit = [product, what](PlanBuilder& plan) {
      return GuardedCall(what, [&] { return product->Emit(plan); });
    };
    return offer;
  });
}

}  // namespace dovetail::cpu
