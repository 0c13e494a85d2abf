// The common part of tests of operations on a device: one test a file of
// cases, named after the file.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_DEVICE_DEVICE_CASES_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_DEVICE_DEVICE_CASES_H_

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/conformance/operations/case_file_test.h"

namespace dovetail {

class DeviceCasesTest : public DeviceTest, public WithCaseFile {
 protected:
  // Compiled for one thread, where the device lets one choose, and for f32,
  // which is what the cases' bounds are for. Or for the precision that the
  // device takes by default: then the bounds are those of the compiled model.
  enum class Floats { kF32, kDefault };
  absl::StatusOr<CompiledModel> CompileOnOneThread(
      const Model& model, Floats floats = Floats::kF32) const;

  // Makes one inference of each request and compares. Where the device computes
  // nothing, only whether outputs can have the shapes that are expected. Never
  // kUnimplemented: it is too late to say that now.
  absl::Status Infer(const OperationCase& test_case,
                     const OperationCase::Inference& inference,
                     const CompiledModel& model,
                     absl::Span<InferRequest> requests) const;

  // All inferences of a case, of which `model` is the model or says less, by
  // as many new requests at the same time as the device likes, since a device
  // that is made of others uses them all so. kUnimplemented when the device
  // cannot.
  absl::Status Run(const OperationCase& test_case, const Model& model,
                   Floats floats = Floats::kF32) const;

  // Notes a failure, unless it is that the device lacks something, and it does
  // not say that it has kernels for these operations (NATIVE_OPERATIONS,
  // REFERENCE_OPERATIONS), or its conformance.txt expects it.
  void Expect(const absl::Status& status, const OperationCase& test_case);
  // The names that one of these properties lists.
  std::set<std::string> Operations(absl::string_view property) const;

  // To end with: skips a test none of whose cases the device can run.
  void SkipIfNoneRan();

 private:
  absl::Status InferAndCompare(const OperationCase& test_case,
                               const OperationCase::Inference& inference,
                               const CompiledModel& model,
                               absl::Span<InferRequest> requests) const;
  absl::Status Compare(const OperationCase& test_case,
                       const OperationCase::Inference& inference,
                       const CompiledModel& model,
                       const InferRequest& request) const;
  absl::Status CompareShapes(const OperationCase::Inference& inference,
                             const CompiledModel& model,
                             const InferRequest& request) const;

  bool HasKernels(const OperationCase& test_case) const;

  int ran_ = 0;
  absl::Status lacks_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_DEVICE_DEVICE_CASES_H_
