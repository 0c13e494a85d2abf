#include "dovetail/testing/virtual/changed_case.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/testing/shared_files.h"
#include "dovetail/tools/conformance/cases/device_exceptions.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

bool HasFake(const std::string& device) {
  return absl::StrContains(device, "FAKE");
}

// Without ".xml" and ".bin", and another one each time.
std::string NewPath() {
  static std::atomic<int> count = 0;
  return absl::StrCat(testing::TempDir(), "/case_", getpid(), "_", ++count);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChangedCase>> ChangedCase::Make(
    const conformance::Case& test_case, const Core& core,
    const std::string& device, absl::FunctionRef<absl::Status(Model&)> change) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                            core.ReadModel(test_case.model_path));
  if (HasFake(device)) {
    // What f16 and integers make of constants is said in f16.
    DOVETAIL_RETURN_IF_ERROR(ConstantFolding().Run(*model).status());
    ConvertPrecision to_f32({ElementType::kF16}, ElementType::kF32);
    DOVETAIL_RETURN_IF_ERROR(to_f32.Run(*model).status());
  }
  DOVETAIL_RETURN_IF_ERROR(change(*model));
  std::unique_ptr<ChangedCase> changed(new ChangedCase(test_case, device));
  changed->case_.model_path = NewPath() + ".xml";
  DOVETAIL_RETURN_IF_ERROR(WriteIr(*model, changed->case_.model_path));
  return changed;
}

conformance::Outcome ChangedCase::Run(const Core& core,
                                      const PropertyMap& properties,
                                      int requests) {
  const std::string kind = device_.substr(0, device_.find(':'));
  const auto own = conformance::ReadDeviceExceptions(RunfilePath(absl::StrCat(
      "backends/", absl::AsciiStrToLower(kind), "/conformance.txt")));
  const auto of_fake = conformance::ReadDeviceExceptions(
      RunfilePath("testing/fakes/conformance.txt"));
  if (!own.ok() || !of_fake.ok()) {
    return {.message = absl::StrCat(own.status().ToString(), ", ",
                                    of_fake.status().ToString())};
  }
  conformance::DeviceExceptions exceptions = *own;
  if (HasFake(device_)) {
    exceptions.expected_failures.insert(exceptions.expected_failures.end(),
                                        of_fake->expected_failures.begin(),
                                        of_fake->expected_failures.end());
  }
  return conformance::RunCase(case_, core, device_, properties, exceptions,
                              requests);
}

ChangedCase::~ChangedCase() {
  std::filesystem::path path = case_.model_path;
  std::filesystem::remove(path);
  std::filesystem::remove(path.replace_extension(".bin"));
}

}  // namespace dovetail
