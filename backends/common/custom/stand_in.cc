#include "dovetail/backends/common/custom/stand_in.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {
namespace {

constexpr absl::string_view kMark = "custom_kernel";

// The node that is stood in for.
struct StandInAttributes : public AttributesOf<StandInAttributes> {
  StandInAttributes() = default;
  StandInAttributes(const StandInAttributes& other)
      : AttributesOf(other),
        op(other.op),
        attributes(other.attributes == nullptr ? nullptr
                                               : other.attributes->Clone()),
        outputs(other.outputs),
        read_f32(other.read_f32) {}
  StandInAttributes& operator=(const StandInAttributes&) = delete;

  void Visit(AttributeVisitor& visitor) override {
    std::string name = op == nullptr ? "" : op->ToString();
    visitor.Visit("operation", name);
  }

  struct Output {
    ElementType type;
    PartialShape shape;
  };
  const OpInfo* op = nullptr;
  std::unique_ptr<Attributes> attributes;
  std::vector<Output> outputs;
  bool read_f32 = false;
};

bool IsHalf(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16;
}

bool ReadsF32(const InferContext& context) {
  for (int i = 0; i < context.input_count(); ++i) {
    if (context.type(i) == ElementType::kF32) return true;
  }
  return false;
}

bool ReadsHalf(const InferContext& context) {
  for (int i = 0; i < context.input_count(); ++i) {
    if (IsHalf(context.type(i))) return true;
  }
  return false;
}

// Floats go with the inputs, whose types passes change.
ElementType TypeNow(ElementType type, bool read_f32,
                    const InferContext& context) {
  const bool reads_f32 = ReadsF32(context);
  if (IsHalf(type) && reads_f32) return ElementType::kF32;
  const bool is_halved = read_f32 && !reads_f32 && ReadsHalf(context);
  return type == ElementType::kF32 && is_halved ? ElementType::kF16 : type;
}

absl::Status InferStandIn(InferContext& context) {
  const auto& attributes = context.attributes<StandInAttributes>();
  context.SetOutputCount(static_cast<int>(attributes.outputs.size()));
  for (size_t i = 0; i < attributes.outputs.size(); ++i) {
    const StandInAttributes::Output& output = attributes.outputs[i];
    context.SetOutput(static_cast<int>(i),
                      TypeNow(output.type, attributes.read_f32, context),
                      output.shape);
  }
  return absl::OkStatus();
}

// Nondeterministic: equal ones may count or draw.
constexpr OpInfo kStandIn = {"CustomKernelStandIn",
                             0,
                             "",
                             OpsetRange::None(),
                             {0, Arity::kAny},
                             {0, Arity::kAny},
                             &MakeAttributes<StandInAttributes>,
                             &InferStandIn,
                             {},
                             kNondeterministic,
                             "dovetail.custom_kernels"};

// Puts a node with these in the place of `node`.
absl::Status Exchange(Node& node, const OpInfo& op,
                      std::unique_ptr<Attributes> attributes, Model& model) {
  const std::vector<Value> inputs(node.inputs().begin(), node.inputs().end());
  const RtInfo info = node.rt_info();
  const std::string name = node.name();
  DOVETAIL_ASSIGN_OR_RETURN(Node* const added,
                            model.Add(op, inputs, std::move(attributes), name));
  std::vector<Value> outputs;
  for (int i = 0; i < node.output_count(); ++i) outputs.push_back({added, i});
  model.ReplaceNode(&node, outputs);
  added->rt_info() = info;
  return absl::OkStatus();
}

absl::Status StandInFor(Node& node, Model& model) {
  auto attributes = std::make_unique<StandInAttributes>();
  attributes->op = &node.op();
  attributes->attributes = node.attributes().Clone();
  for (int i = 0; i < node.output_count(); ++i) {
    attributes->outputs.push_back({node.port(i).type, node.port(i).shape});
  }
  for (const Value& input : node.inputs()) {
    if (input && input.type() == ElementType::kF32) attributes->read_f32 = true;
  }
  return Exchange(node, kStandIn, std::move(attributes), model);
}

// In order of execution, as each infers from what is before it.
template <typename Change>
absl::Status ForEachNode(Model& model, Change change) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> nodes,
                            model.TopologicalOrder());
  for (Node* node : nodes) {
    for (const auto& body : node->bodies()) {
      DOVETAIL_RETURN_IF_ERROR(ForEachNode(*body->model, change));
    }
    DOVETAIL_RETURN_IF_ERROR(change(*node, model));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddStandIns(Model& model, FindCustomKernelFn find) {
  return ForEachNode(model, [&](Node& node, Model& owner) -> absl::Status {
    if (node.op().Has(kStructural)) return absl::OkStatus();
    const std::string* const where = find(node);
    if (where == nullptr) return absl::OkStatus();
    node.rt_info().Set({kMark}, *where);
    const bool stays = !node.bodies().empty() || node.Is("Convert") ||
                       node.op().Has(kReadsState) ||
                       node.op().Has(kHasSideEffect);
    if (stays) return absl::OkStatus();
    return StandInFor(node, owner);
  });
}

absl::Status MarkCustomKernels(Model& model, FindCustomKernelFn find) {
  return ForEachNode(model, [&](Node& node, Model&) -> absl::Status {
    const std::string* const where =
        node.op().Has(kStructural) ? nullptr : find(node);
    if (where != nullptr) node.rt_info().Set({kMark}, *where);
    return absl::OkStatus();
  });
}

const std::string* PlaceOfKernel(const Node& node) {
  return node.rt_info().Find({kMark});
}

absl::Status RemoveStandIns(Model& model) {
  return ForEachNode(model, [](Node& node, Model& owner) -> absl::Status {
    const auto* stand_in = node.As<StandInAttributes>();
    if (stand_in == nullptr) return absl::OkStatus();
    return Exchange(node, *stand_in->op, stand_in->attributes->Clone(), owner);
  });
}

}  // namespace dovetail
