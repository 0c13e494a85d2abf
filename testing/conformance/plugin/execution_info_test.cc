// What a compiled model says of how its layers run.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// "" where rt_info says nothing under that key.
std::string Says(const Node& node, absl::string_view key) {
  const std::string* const text = node.rt_info().Find({key});
  return text == nullptr ? "" : *text;
}

class ExecutionInfoTest : public DeviceTest {
 protected:
  std::vector<Model> Models() const {
    std::vector<Model> models;
    models.push_back(ChainModel());
    models.push_back(DynamicModel());
    models.push_back(TwoByTwoModel());
    models.push_back(CounterModel());
    models.push_back(LongModel(3, 4));
    return models;
  }

  // In f32, so that no pass puts in conversions.
  PropertyMap Properties() const {
    PropertyMap properties;
    for (const auto& [key, value] :
         {std::pair{properties::kInferencePrecisionHint, "f32"},
          std::pair{properties::kPerfCount, "YES"}}) {
      if (HasProperty(key)) properties[std::string(key)] = value;
    }
    return properties;
  }

  // After an inference on whatever is in the inputs, as shapes may have to be
  // known first; null where the device shows no graph.
  std::unique_ptr<Model> DescribeAfterInference(const CompiledModel& model) {
    InferRequest request = model.NewRequest().value();
    for (size_t i = 0; i < model.inputs().size(); ++i) {
      const PortInfo& port = model.inputs()[i];
      Shape shape;
      for (const Dimension& extent : port.shape) {
        shape.push_back(extent.is_static() ? extent.min() : 2);
      }
      EXPECT_TRUE(request
                      .SetInput(static_cast<int>(i),
                                Tensor::Allocate(port.type, shape).value())
                      .ok());
    }
    EXPECT_TRUE(request.Infer().ok());
    records_ = request.Profiling().value();
    return model.DescribeExecution();
  }

  std::vector<ProfilingRecord> records_;
};

void ExpectEachOrderOnce(const Model& described) {
  std::set<std::string> orders;
  for (const auto& node : described.nodes()) {
    orders.insert(Says(*node, "execOrder"));
  }
  EXPECT_EQ(orders.size(), described.node_count());
  EXPECT_EQ(orders.count(""), 0u);
}

TEST_F(ExecutionInfoTest, NamesOnlyNodesOfTheGraphThatRuns) {
  for (const Model& model : Models()) {
    SCOPED_TRACE(model.name());
    DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
    const CompiledModel compiled = Compile(model, Properties());
    const auto described = DescribeAfterInference(compiled);
    ASSERT_EQ(described == nullptr, compiled.runtime_model() == nullptr);
    if (described == nullptr) GTEST_SKIP() << device() << " shows no graph";
    EXPECT_TRUE(Model::Compare(*described, *compiled.runtime_model()).ok());
    ExpectEachOrderOnce(*described);
    for (const auto& node : described->nodes()) {
      const std::string into = Says(*node, "fusedInto");
      if (into.empty()) continue;
      EXPECT_EQ(Says(*node, "primitiveType"), "") << node->Describe();
      const Node* const other = compiled.runtime_model()->FindNode(into);
      ASSERT_NE(other, nullptr) << node->Describe() << " into " << into;
      EXPECT_NE(into, node->name());
    }
  }
}

TEST_F(ExecutionInfoTest, MapsLayersToThoseOfTheModel) {
  for (const Model& model : Models()) {
    SCOPED_TRACE(model.name());
    DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
    const auto described = DescribeAfterInference(Compile(model, Properties()));
    if (described == nullptr) GTEST_SKIP() << device() << " shows no graph";
    for (const auto& node : described->nodes()) {
      EXPECT_EQ(Says(*node, "layerType"), node->op().type);
      EXPECT_EQ(Says(*node, "outputPrecisions").empty(),
                node->output_count() == 0)
          << node->Describe();
      if (Says(*node, "primitiveType").empty()) continue;
      EXPECT_NE(Says(*node, "executionDevice"), "") << node->Describe();
      for (const std::string& name :
           SplitFusedNames(Says(*node, "originalLayersNames"))) {
        EXPECT_NE(model.FindNode(name), nullptr) << name;
      }
    }
  }
}

TEST_F(ExecutionInfoTest, NamesTheKernelsThatProfilesName) {
  if (!HasProperty(properties::kPerfCount)) GTEST_SKIP() << "no profiles";
  for (const Model& model : Models()) {
    SCOPED_TRACE(model.name());
    DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
    const auto described = DescribeAfterInference(Compile(model, Properties()));
    if (described == nullptr) GTEST_SKIP() << device() << " shows no graph";
    std::map<std::string, std::string> kernels;
    for (const auto& node : described->nodes()) {
      const std::string kernel = Says(*node, "primitiveType");
      if (!kernel.empty()) kernels[node->name()] = kernel;
    }
    if (kernels.empty()) GTEST_SKIP() << device() << " names no kernels";
    for (const ProfilingRecord& record : records_) {
      if (record.status != ProfilingRecord::Status::kExecuted ||
          described->FindNode(record.name) == nullptr) {
        continue;
      }
      EXPECT_EQ(kernels[record.name], record.kernel) << record.name;
    }
  }
}

}  // namespace
}  // namespace dovetail
