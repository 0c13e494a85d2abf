#include "dovetail/backends/cpu/steps/linear/narrow_matmul.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
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
absl::Status CheckOneProduct(const MatMulProblem& problem) {
  const MatrixShapes& shapes = problem.shapes;
  const Value b = problem.node->input(1);
  const Tensor* weights = PlanBuilder::PackableConstantOf(b);
  if (weights == nullptr) return Unimplemented("weights that are computed");
  if (weights->type() != ElementType::kF32 || !weights->is_contiguous() ||
      b.shape().rank() < 2) {
    return Unimplemented("weights that are no dense matrix of f32");
  }
  if (shapes.batch != 1) return Unimplemented(shapes.batch, " products");
  if (shapes.a.column_stride != 1 ||
      (shapes.rows != 1 && shapes.a.row_stride != shapes.depth)) {
    return Unimplemented("rows that do not follow each other");
  }
  return absl::OkStatus();
}

// Few rows wait for weights, of which half as many bytes are read; many take as
// long as they are multiplied.
absl::Status CheckFaster(const MatrixShapes& shapes,
                         const MachineModel& machine) {
  const auto rows = static_cast<double>(shapes.rows);
  const double weights =
      static_cast<double>(shapes.depth) * static_cast<double>(shapes.columns);
  const auto cost = [&](double bytes_of_weight, double products) {
    return std::max(machine.ReadNs(weights * bytes_of_weight),
                    rows * weights / products);
  };
  const double narrow = cost(2, machine.bf16), wide = cost(4, machine.f32());
  if (narrow < wide) return absl::OkStatus();
  return Unimplemented("an estimate of ", std::llround(narrow), " ns, ",
                       std::llround(wide), " in f32");
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

// The primitive that computes a product. Throws like all of oneDNN.
class NarrowMatMul {
 public:
  NarrowMatMul(const MatMulProblem& problem, ElementType type)
      : node_(*problem.node), shapes_(problem.shapes), type_(type) {}

  // With as much of the epilogue as can be; false: none is fast.
  bool Choose(const PlanBuilder& builder) {
    const Epilogue all = FindEpilogue(
        PlanBuilder::OutputOf(node_), OneDnnEpilogues(/*channel_axis=*/-1),
        [&](Value value) { return builder.IsReady(value); });
    for (size_t length = all.size() + 1; length-- > 0;) {
      epilogue_ = all.First(length);
      post_ops_ = PostOps(epilogue_, OptionsOf(shapes_), builder);
      if (!Try()) continue;
      if (!absl::StartsWith(desc_.impl_info_str(), "ref")) return true;
    }
    return false;
  }

  absl::Status Emit(PlanBuilder& builder) const {
    std::vector<PrimitiveOperand> inputs;
    DOVETAIL_RETURN_IF_ERROR(AddOperands(builder, inputs));
    DOVETAIL_ASSIGN_OR_RETURN(std::vector<PrimitiveOperand> more,
                              post_ops_.Arguments(desc_, builder));
    std::move(more.begin(), more.end(), std::back_inserter(inputs));
    builder.Fuse(epilogue_.nodes());
    const Operand output =
        builder.Write(epilogue_.result(), {ResultType(), Layout::kPlanar});
    AddPrimitive(node_, builder, desc_, std::move(inputs),
                 {{DNNL_ARG_DST, Result(), output}});
    return absl::OkStatus();
  }

 private:
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

  // Data, weights, and a bias if there is one.
  absl::Status AddOperands(PlanBuilder& builder,
                           std::vector<PrimitiveOperand>& inputs) const {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand data,
        builder.Read(node_.input(0), {type_, Layout::kPlanar}));
    inputs.push_back({DNNL_ARG_SRC, Source(), data});
    const dnnl::memory::desc from(
        {shapes_.depth, shapes_.columns}, Type::f32,
        dnnl::memory::dims{shapes_.b.row_stride, shapes_.b.column_stride});
    const dnnl::memory::desc to = desc_.query_md(dnnl::query::weights_md, 0);
    DOVETAIL_ASSIGN_OR_RETURN(
        const Operand weights,
        PackConstant(builder, *PlanBuilder::PackableConstantOf(node_.input(1)),
                     from, to));
    inputs.push_back({DNNL_ARG_WEIGHTS, to, weights});
    if (post_ops_.bias().empty()) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(const Operand bias,
                              AddChannelConstants(builder, post_ops_.bias()));
    inputs.push_back({DNNL_ARG_BIAS, Bias(), bias});
    return absl::OkStatus();
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
  Epilogue epilogue_;
  PostOps post_ops_;
  dnnl::primitive_desc_base desc_;
};

constexpr absl::string_view kWhat = "a matrix product";

}  // namespace

absl::StatusOr<KernelOffer> TryNarrowMatMul(const MatMulProblem& problem,
                                            const PlanBuilder& builder) {
  const ElementType type = ComputeTypeOf(*problem.node, builder.settings());
  if (type == ElementType::kF32) return Unimplemented("f32 is asked for");
  DOVETAIL_RETURN_IF_ERROR(CheckOneProduct(problem));
  DOVETAIL_RETURN_IF_ERROR(
      CheckFaster(problem.shapes, builder.settings().machine_model()));
  return GuardedCall(kWhat, [&]() -> absl::StatusOr<KernelOffer> {
    const auto product = std::make_shared<NarrowMatMul>(problem, type);
    if (!product->Choose(builder)) return Unimplemented("no fast code");
    KernelOffer offer;
    offer.emit = [product](PlanBuilder& plan) {
      return GuardedCall(kWhat, [&] { return product->Emit(plan); });
    };
    return offer;
  });
}

}  // namespace dovetail::cpu
