// Cases of the shared sets whose models a test changes before they run.
#ifndef DOVETAIL_TESTING_VIRTUAL_CHANGED_CASE_H_
#define DOVETAIL_TESTING_VIRTUAL_CHANGED_CASE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/run_case.h"

namespace dovetail {

// The files of a model, which are removed with this.
class ChangedCase {
 public:
  // `test_case` with its model as `change` leaves it, in files of the test's
  // folder. A model for a device list with FAKE in it is made f32 before: the
  // fake computes in the model's types, and what an f16 model gives in f16 says
  // nothing of the devices.
  static absl::StatusOr<std::unique_ptr<ChangedCase>> Make(
      const conformance::Case& test_case, const Core& core,
      const std::string& device,
      absl::FunctionRef<absl::Status(Model&)> change);
  ~ChangedCase();

  // As RunCase, with the exceptions of the first device's backend, and of the
  // fake where that is in the list.
  conformance::Outcome Run(const Core& core, const PropertyMap& properties,
                           int requests = 1);

 private:
  ChangedCase(conformance::Case test_case, std::string device)
      : case_(std::move(test_case)), device_(std::move(device)) {}

  conformance::Case case_;
  const std::string device_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_VIRTUAL_CHANGED_CASE_H_
