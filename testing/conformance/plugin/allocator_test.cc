// Tensors in memory that the application gives (Core::SetAllocator), whatever
// threads inferences run in, and whether the device is linked or loaded.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/tensor/testing/counting_allocator.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kRows = 64;
constexpr size_t kBytes = kRows * kRows * sizeof(float);

// Two layers that are not computed together, so that there is a tensor between
// them.
Model TwoLayers() {
  return ModelOf(R"(model "two"
    %x = Parameter-0() {shape: [64,64], element_type: f32} : f32[64,64] "x"
    %a = Softmax-8(%x) {axis: 0} : f32[64,64] "a"
    %b = Softmax-8(%a) {axis: 1} : f32[64,64] "b"
    %o = Result-0(%b) {}  # out)");
}

Tensor AllOnes() {
  return Floats({kRows, kRows}, std::vector<double>(kRows * kRows, 1));
}

class AllocatorOfApplicationTest : public DeviceTest {
 protected:
  // Whether tensors between layers are in the host's memory.
  bool computes_on_host() const {
    return computes() && HasProperty("NUM_STREAMS") &&
           !HasProperty("DEVICE_ID") && !has_parts();
  }

  CompiledModel CompileWith(std::shared_ptr<Allocator> allocator,
                            const Model& model) {
    core_.SetAllocator(std::move(allocator));
    CompiledModel compiled = Compile(model);
    core_.SetAllocator(nullptr);
    return compiled;
  }

  std::shared_ptr<CountingAllocator> own_ =
      std::make_shared<CountingAllocator>();
};

TEST_F(AllocatorOfApplicationTest, PortsAndPlansHaveItsMemory) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(TwoLayers());
  const CompiledModel model = CompileWith(own_, TwoLayers());
  const size_t compiled = own_->bytes();
  InferRequest request = model.NewRequest().value();
  const Tensor input = request.Input(0).value();
  EXPECT_TRUE(own_->Has(input.raw_data()));
  ASSERT_TRUE(input.CopyFrom(AllOnes()).ok());
  ASSERT_TRUE(request.Infer().ok());
  const Tensor output = request.Output(0).value();
  EXPECT_TRUE(own_->Has(output.raw_data()));
  EXPECT_TRUE(Gives(output, std::vector<double>(kRows * kRows, 1.0 / 64)));
  if (computes_on_host()) {
    EXPECT_GE(own_->bytes() - compiled, 3 * kBytes);
  }
}

TEST_F(AllocatorOfApplicationTest, ShapesThatAreKnownLateAndOtherThreadsToo) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  const CompiledModel model = CompileWith(own_, DynamicModel());
  InferRequest request = model.NewRequest().value();
  for (const int64_t rows : {2, 5}) {
    const std::vector<double> threes(static_cast<size_t>(rows) * 3, 3);
    ASSERT_TRUE(request.SetInput(0, Floats({rows, 3}, threes)).ok());
    ASSERT_TRUE(request.StartAsync().ok());
    ASSERT_TRUE(request.Wait().ok());
    EXPECT_TRUE(own_->Has(request.Output(0)->raw_data()));
    if (computes()) {
      EXPECT_TRUE(Gives(request.Output(0), threes));
    }
  }
}

TEST_F(AllocatorOfApplicationTest, ImportedModelsHaveIt) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(TwoLayers());
  if (!exports()) GTEST_SKIP() << "exports nothing";
  const std::string bytes = Compile(TwoLayers()).ExportToString().value();
  core_.SetAllocator(own_);
  const CompiledModel model = core_.ImportFromString(bytes, device()).value();
  core_.SetAllocator(nullptr);
  InferRequest request = model.NewRequest().value();
  ASSERT_TRUE(request.SetInput(0, AllOnes()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(own_->Has(request.Output(0)->raw_data()));
}

TEST_F(AllocatorOfApplicationTest, OtherModelsDoNot) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(TwoLayers());
  const CompiledModel with = CompileWith(own_, TwoLayers());
  const int count = own_->count();
  InferRequest request = NewRequest(TwoLayers());
  ASSERT_TRUE(request.SetInput(0, AllOnes()).ok());
  ASSERT_TRUE(request.Infer().ok());
  ASSERT_TRUE(request.Output(0).ok());
  EXPECT_FALSE(own_->Has(request.Output(0)->raw_data()));
  // A device of others may still be compiling `with` for one of them.
  if (!has_parts()) {
    EXPECT_EQ(own_->count(), count);
  }
}

TEST_F(AllocatorOfApplicationTest, AllOfItComesBackAndItMayOutliveTheCore) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(TwoLayers());
  Tensor output;
  {
    Core core;
    core.SetAllocator(own_);
    const CompiledModel model = core.Compile(TwoLayers(), device()).value();
    InferRequest request = model.NewRequest().value();
    ASSERT_TRUE(request.SetInput(0, AllOnes()).ok());
    ASSERT_TRUE(request.Infer().ok());
    output = request.Output(0).value();
  }
  EXPECT_TRUE(own_->Has(output.raw_data()));
  EXPECT_TRUE(Gives(output, std::vector<double>(kRows * kRows, 1.0 / 64)));
  output = Tensor();
  EXPECT_EQ(own_->live(), 0u);
  EXPECT_EQ(own_->wrong_frees(), 0);
}

TEST_F(AllocatorOfApplicationTest, NoMemoryEndsAnInferenceAndNothingElse) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(TwoLayers());
  const CompiledModel model = CompileWith(own_, TwoLayers());
  const auto infer = [&]() -> absl::Status {
    absl::StatusOr<InferRequest> request = model.NewRequest();
    if (!request.ok()) return request.status();
    absl::Status status = request->SetInput(0, AllOnes());
    if (status.ok()) status = request->Infer();
    return status.ok() ? request->Output(0).status() : status;
  };
  own_->set_most(0);
  EXPECT_EQ(infer().code(), absl::StatusCode::kResourceExhausted) << infer();
  own_->set_most(SIZE_MAX);
  EXPECT_TRUE(infer().ok()) << infer();
}

}  // namespace
}  // namespace dovetail
