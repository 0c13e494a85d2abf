// The fixture of tests that run on every device.
#ifndef DOVETAIL_TESTING_BACKEND_DEVICE_TEST_H_
#define DOVETAIL_TESTING_BACKEND_DEVICE_TEST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/backend/device_under_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {

class DeviceTest : public testing::Test {
 protected:
  DeviceTest();

  const std::string& device() const { return GetDeviceUnderTest().name; }
  static const conformance::DeviceExceptions& exceptions() {
    return GetDeviceUnderTest().exceptions;
  }
  bool computes() const { return !exceptions().computes_nothing; }
  // As the device's properties say.
  bool HasProperty(absl::string_view name) const;
  bool exports() const;  // OPTIMIZATION_CAPABILITIES has EXPORT_IMPORT
  // Whether it is made of others, as its name says: "HETERO:FAKE,CPU".
  bool has_parts() const { return device().find(':') != std::string::npos; }
  // Whether an inference may run on another device than the one before it.
  bool moves() const { return device().find("AUTO:") == 0; }

  // These end the program with the error when they cannot.
  CompiledModel Compile(const Model& model,
                        const PropertyMap& properties = {}) const;
  InferRequest NewRequest(const Model& model,
                          const PropertyMap& properties = {}) const;

  // Whether `actual` is what the device ought to give where the model's result
  // is `values`: these, or zeros. With a tolerance that every float type of 16
  // bits or more meets for whole numbers.
  testing::AssertionResult Gives(const absl::StatusOr<Tensor>& actual,
                                 const std::vector<double>& values) const;

  Core core_;
};

}  // namespace dovetail

// At the start of a test about a model that not every device runs: skips the
// test with the device's reason.
#define DOVETAIL_SKIP_UNLESS_SUPPORTED(model)                                 \
  do {                                                                        \
    const auto dovetail_query = core_.Query(model, device());                 \
    ASSERT_TRUE(dovetail_query.ok()) << dovetail_query.status();              \
    for (const auto& dovetail_layer : dovetail_query->layers) {               \
      if (!dovetail_layer.reason.ok()) GTEST_SKIP() << dovetail_layer.reason; \
    }                                                                         \
  } while (false)

#endif  // DOVETAIL_TESTING_BACKEND_DEVICE_TEST_H_
