#include "dovetail/testing/conformance/operations/device/device_cases.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/tools/conformance/cases/device_exceptions.h"
#include "dovetail/tools/conformance/compare/compare.h"
#include "dovetail/tools/conformance/compare/precision.h"
#include "dovetail/tools/conformance/infer_all.h"

namespace dovetail {
namespace {

using Entry = conformance::DeviceExceptions::Entry;

// Those that a case of this run has needed.
std::set<const Entry*>& UsedEntries() {
  static auto& used = *new std::set<const Entry*>;
  return used;
}

// With DOVETAIL_STALE_EXCEPTIONS set, fails over each entry that the tests of
// the whole program have not needed: an expected failure that passes, what is
// supported by now, and patterns that no case matches.
class StaleEntries : public testing::Environment {
 public:
  void TearDown() override {
    if (std::getenv("DOVETAIL_STALE_EXCEPTIONS") == nullptr) return;
    const auto& exceptions = GetDeviceUnderTest().exceptions;
    ExpectUsed("unsupported", exceptions.unsupported);
    ExpectUsed("expected failure", exceptions.expected_failures);
  }

 private:
  static void ExpectUsed(absl::string_view what,
                         const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      EXPECT_EQ(UsedEntries().count(&entry), 1u)
          << "stale: " << what << " " << entry.pattern << ": " << entry.reason;
    }
  }
};

[[maybe_unused]] const testing::Environment* const stale_entries =
    testing::AddGlobalTestEnvironment(new StaleEntries);

// As many at a time as the device likes.
int RequestsOf(const CompiledModel& model) {
  constexpr int kMost = 8;
  int count = 1;
  const auto likes =
      model.GetProperty(properties::kOptimalNumberOfInferRequests);
  if (!likes.ok() || !absl::SimpleAtoi(*likes, &count)) return 1;
  return std::clamp(count, 1, kMost);
}

}  // namespace

absl::StatusOr<CompiledModel> DeviceCasesTest::CompileOnOneThread(
    const Model& model, Floats floats) const {
  PropertyMap properties;
  if (HasProperty(properties::kInferenceNumThreads)) {
    properties[std::string(properties::kInferenceNumThreads)] = "1";
  }
  if (floats == Floats::kF32 &&
      HasProperty(properties::kInferencePrecisionHint)) {
    properties[std::string(properties::kInferencePrecisionHint)] = "f32";
  }
  return core_.Compile(model, device(), properties);
}

absl::Status DeviceCasesTest::Infer(const OperationCase& test_case,
                                    const OperationCase::Inference& inference,
                                    const CompiledModel& model,
                                    absl::Span<InferRequest> requests) const {
  const absl::Status status =
      InferAndCompare(test_case, inference, model, requests);
  if (status.code() != absl::StatusCode::kUnimplemented) return status;
  return InvalidArgument(status.message());
}

absl::Status DeviceCasesTest::InferAndCompare(
    const OperationCase& test_case, const OperationCase::Inference& inference,
    const CompiledModel& model, absl::Span<InferRequest> requests) const {
  for (InferRequest& request : requests) {
    for (size_t i = 0; i < inference.inputs.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          request.SetInput(static_cast<int>(i), inference.inputs[i]));
    }
  }
  DOVETAIL_RETURN_IF_ERROR(conformance::InferAll(requests));
  for (size_t r = 0; r < requests.size(); ++r) {
    const absl::Status status =
        computes() ? Compare(test_case, inference, model, requests[r])
                   : CompareShapes(inference, model, requests[r]);
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(status, absl::StrCat("request ", r, " of ", requests.size())));
  }
  return absl::OkStatus();
}

absl::Status DeviceCasesTest::Compare(const OperationCase& test_case,
                                      const OperationCase::Inference& inference,
                                      const CompiledModel& model,
                                      const InferRequest& request) const {
  for (size_t i = 0; i < inference.outputs.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor output,
                              request.Output(static_cast<int>(i)));
    const conformance::Tolerance tolerance = conformance::WithPrecision(
        {.absolute = test_case.absolute, .relative = test_case.relative},
        conformance::PrecisionOf(model, exceptions()), inference.outputs, i);
    DOVETAIL_RETURN_IF_ERROR(Annotate(
        conformance::CompareOutput(output, inference.outputs[i], tolerance),
        absl::StrCat("output ", i)));
  }
  return absl::OkStatus();
}

absl::Status DeviceCasesTest::CompareShapes(
    const OperationCase::Inference& inference, const CompiledModel& model,
    const InferRequest& request) const {
  for (size_t i = 0; i < inference.outputs.size(); ++i) {
    const PartialShape& shape = model.outputs()[i].shape;
    const Shape& want = inference.outputs[i].shape();
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor output,
                              request.Output(static_cast<int>(i)));
    if (!shape.Contains(want) || !shape.Contains(output.shape())) {
      return InvalidArgument("output ", i, " has shape ",
                             output.shape().ToString(), " of ",
                             shape.ToString(), ", want ", want.ToString());
    }
  }
  return absl::OkStatus();
}

absl::Status DeviceCasesTest::Run(const OperationCase& test_case,
                                  const Model& model, Floats floats) const {
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            CompileOnOneThread(model, floats));
  // A model of f32 in which every value is rounded may be any distance off: a
  // sum may cancel, an index be another one.
  const bool is_other_model =
      floats == Floats::kDefault &&
      conformance::PrecisionOf(compiled, exceptions()).rounds_all;
  if (is_other_model) return absl::OkStatus();
  std::vector<InferRequest> requests;
  for (int i = RequestsOf(compiled); i > 0; --i) {
    DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, compiled.NewRequest());
    requests.push_back(std::move(request));
  }
  for (const OperationCase::Inference& inference : test_case.inferences) {
    DOVETAIL_RETURN_IF_ERROR(
        Infer(test_case, inference, compiled, absl::MakeSpan(requests)));
  }
  return absl::OkStatus();
}

std::set<std::string> DeviceCasesTest::Operations(
    absl::string_view property) const {
  const auto list = core_.GetProperty(device(), property);
  if (!list.ok()) return {};
  return absl::StrSplit(*list, ' ', absl::SkipEmpty());
}

bool DeviceCasesTest::HasKernels(const OperationCase& test_case) const {
  std::set<std::string> names = Operations(properties::kNativeOperations);
  names.merge(Operations(properties::kReferenceOperations));
  return std::all_of(
      test_case.operations.begin(), test_case.operations.end(),
      [&](const std::string& name) { return names.count(name) == 1; });
}

void DeviceCasesTest::Expect(const absl::Status& status,
                             const OperationCase& test_case) {
  const std::string& name = test_case.name;
  const std::string& type = exceptions().computes;
  if (status.code() == absl::StatusCode::kUnimplemented) {
    const Entry* entry = FindEntry(exceptions().unsupported, name, type);
    UsedEntries().insert(entry);
    if (entry != nullptr || !HasKernels(test_case)) {
      lacks_ = status;
      return;
    }
  }
  ++ran_;
  if (!status.ok()) {
    const Entry* entry = FindEntry(exceptions().expected_failures, name, type);
    UsedEntries().insert(entry);
    if (entry != nullptr) return;
  }
  EXPECT_TRUE(status.ok()) << name << ": " << status;
}

void DeviceCasesTest::SkipIfNoneRan() {
  if (ran_ == 0 && !lacks_.ok()) GTEST_SKIP() << lacks_;
}

}  // namespace dovetail
