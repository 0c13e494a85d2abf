#include "dovetail/backends/cpu/steps/linear/narrow_matmul.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/hold_channels.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

// The rows of a are dense, and there is one b, a constant.
bool IsOneProduct(const Node& node, const MatrixShapes& shapes) {
  const Tensor* weights = PlanBuilder::PackableConstantOf(node.input(1));
  return shapes.batch == 1 && weights != nullptr && weights->is_contiguous() &&
         weights->type() == ElementType::kF32 &&
         node.input(1).shape().rank() >= 2 && shapes.a.column_stride == 1 &&
         (shapes.rows == 1 || shapes.a.row_stride == shapes.depth);
}

// Whether readers of a value can do with numbers of the narrow type.
bool ReadersMultiply(Value value) {
  const std::vector<Use>& uses = value.port().uses;
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [](const Use& use) {
           return use.node->Is("MatMul") && use.input == 0 &&
                  PlanBuilder::IsConstant(use.node->input(1));
         });
}

PostOps::Options OptionsOf(const MatrixShapes& shapes) {
  PostOps::Options options;
  options.channel_axis = -1;
  options.shape = Shape{shapes.rows, shapes.columns};
  return options;
}

class NarrowMatMul {
 public:
  NarrowMatMul(const Node& node, const MatrixShapes& shapes, ElementType type,
               PlanBuilder& builder)
      : node_(node), shapes_(shapes), type_(type), builder_(builder) {}

  // Throws like all of oneDNN.
  absl::StatusOr<bool> Emit() {
    if (!Choose()) return false;
    std::vector<PrimitiveOperand> inputs;
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand data,
        builder_.Read(node_.input(0), {type_, Layout::kPlanar}));
    inputs.push_back({DNNL_ARG_SRC, Source(), data});
    const dnnl::memory::desc from(
        {shapes_.depth, shapes_.columns}, Type::f32,
        dnnl::memory::dims{shapes_.b.row_stride, shapes_.b.column_stride});
    const dnnl::memory::desc to = desc_.query_md(dnnl::query::weights_md, 0);
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand weights,
        PackConstant(builder_, *PlanBuilder::PackableConstantOf(node_.input(1)),
                     from, to));
    inputs.push_back({DNNL_ARG_WEIGHTS, to, weights});
    if (!post_ops_.bias().empty()) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                                HoldChannels(builder_, post_ops_.bias()));
      inputs.push_back({DNNL_ARG_BIAS, Bias(), bias});
    }
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<PrimitiveOperand> more,
                              post_ops_.Arguments(desc_, builder_));
    std::move(more.begin(), more.end(), std::back_inserter(inputs));
    builder_.Fuse(epilogue_.nodes());
    const Operand output =
        builder_.Write(epilogue_.result(), {ResultType(), Layout::kPlanar});
    AddPrimitive(node_, builder_, desc_, std::move(inputs),
                 {{DNNL_ARG_DST, Result(), output}});
    return true;
  }

 private:
  bool Choose() {
    const Epilogue all = FindEpilogue(
        PlanBuilder::OutputOf(node_), OneDnnEpilogues(/*channel_axis=*/-1),
        [this](Value value) { return builder_.IsReady(value); });
    for (size_t length = all.size() + 1; length-- > 0;) {
      epilogue_ = all.First(length);
      post_ops_ = PostOps(epilogue_, OptionsOf(shapes_), builder_);
      if (!Try()) continue;
      if (!absl::StartsWith(desc_.impl_info_str(), "ref")) return true;
    }
    return false;
  }

  bool Try() {
    dnnl::primitive_attr attr = ScratchpadAttr();
    post_ops_.AddTo(attr);
    const dnnl::memory::desc weights({shapes_.depth, shapes_.columns},
                                     *OneDnnType(type_), Tag::any);
    const dnnl::memory::desc bias =
        post_ops_.bias().empty() ? dnnl::memory::desc() : Bias();
    const dnnl::matmul::primitive_desc desc(CpuEngine(), Source(), weights,
                                            bias, Result(), attr,
                                            /*allow_empty=*/true);
    desc_ = desc;
    return static_cast<bool>(desc_);
  }

  ElementType ResultType() const {
    if (epilogue_.type() != ElementType::kF32) return epilogue_.type();
    return ReadersMultiply(epilogue_.result()) ? type_ : ElementType::kF32;
  }
  dnnl::memory::desc Source() const {
    return {{shapes_.rows, shapes_.depth}, *OneDnnType(type_), Tag::ab};
  }
  dnnl::memory::desc Result() const {
    return {
        {shapes_.rows, shapes_.columns}, *OneDnnType(ResultType()), Tag::ab};
  }
  dnnl::memory::desc Bias() const {
    return {{1, shapes_.columns}, Type::f32, Tag::ab};
  }

  const Node& node_;
  const MatrixShapes& shapes_;
  const ElementType type_;
  PlanBuilder& builder_;
  Epilogue epilogue_;
  PostOps post_ops_;
  dnnl::primitive_desc_base desc_;
};

}  // namespace

absl::StatusOr<bool> EmitNarrowMatMul(const Node& node,
                                      const MatrixShapes& shapes,
                                      ElementType type, PlanBuilder& builder) {
  if (!IsOneProduct(node, shapes)) return false;
  absl::StatusOr<bool> taken = false;
  DOVETAIL_RETURN_IF_ERROR(Guarded("a matrix product", [&] {
    taken = NarrowMatMul(node, shapes, type, builder).Emit();
  }));
  return taken;
}

}  // namespace dovetail::cpu
