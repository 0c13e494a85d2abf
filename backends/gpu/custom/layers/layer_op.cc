#include "dovetail/backends/gpu/custom/layers/layer_op.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail::gpu {
namespace {

struct LayerAttributes : public AttributesOf<LayerAttributes> {
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("outputs", outputs);
    visitor.Visit("size", size);
    visitor.Visit("scale", scale);
    visitor.Visit("range", range);
  }

  std::vector<std::string> outputs;
  int64_t size = 0;
  double scale = 1;
  std::vector<double> range;
};

absl::Status InferLayer(InferContext& context) {
  const auto& attributes = context.attributes<LayerAttributes>();
  const int count = static_cast<int>(attributes.outputs.size());
  context.SetOutputCount(count);
  for (int i = 0; i < count; ++i) {
    const std::string& text = attributes.outputs[i];
    const size_t end = text.find('[');
    if (end == std::string::npos) {
      return context.Error("output '", text, "': want one such as 'f32[2,3]'");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                              ParseElementType(text.substr(0, end)));
    DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape,
                              PartialShape::Parse(text.substr(end)));
    context.SetOutput(i, type, std::move(shape));
  }
  return absl::OkStatus();
}

}  // namespace

const OpInfo* FindLayerOp(absl::string_view type, int version) {
  const OpInfo* const known = FindOp(type, version);
  if (known != nullptr || version != 0) return known;
  static auto& ops = *new std::map<std::string, std::unique_ptr<OpInfo>>;
  const auto it = ops.try_emplace(std::string(type)).first;
  if (it->second == nullptr) {
    it->second =
        std::make_unique<OpInfo>(OpInfo{it->first,
                                        0,
                                        "",
                                        OpsetRange::None(),
                                        {0, Arity::kAny},
                                        {1, Arity::kAny},
                                        &MakeAttributes<LayerAttributes>,
                                        &InferLayer,
                                        {},
                                        kNoTraits,
                                        "tests"});
  }
  return it->second.get();
}

}  // namespace dovetail::gpu
