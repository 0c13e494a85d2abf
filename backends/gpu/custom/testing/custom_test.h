// Tests that write configurations of custom kernels, and are skipped where
// there is no OpenCL device.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_CUSTOM_TEST_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_CUSTOM_TEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/custom/testing/run_model.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {

// A folder for each test.
class CustomKernelsTest : public testing::Test {
 protected:
  void SetUp() override;

  // Writes a file there; its path.
  std::string Write(const std::string& name, const std::string& text) const;

  // Writes a file of one layer, whose kernel is function "f" of k.cl; parts in
  // XML. Its path.
  std::string Layer(const std::string& name, const std::string& defines,
                    const std::string& tensors, const std::string& sizes,
                    const std::string& source) const;

  // A model in text form (testing/graphs/random_model.h) with random inputs,
  // integers from 0 to 2 where they are no floats.
  static absl::StatusOr<Outcome> Run(const std::string& model,
                                     const PropertyMap& properties);

  // Expects that the custom kernel of a file runs, and gives what the device's
  // own gives.
  static void ExpectAgrees(const std::string& model, const std::string& file,
                           double tolerance = 1e-5);

  // Why a model does not run with a file; empty: it does.
  static std::string MessageOf(const std::string& model,
                               const std::string& file);

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

// Input 0 and output 0 as arguments 0 and 1.
inline constexpr char kInOut[] =
    R"(<Tensor arg-index="0" type="input" port-index="0" format="BFYX"/>
       <Tensor arg-index="1" type="output" port-index="0" format="BFYX"/>)";

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_TESTING_CUSTOM_TEST_H_
