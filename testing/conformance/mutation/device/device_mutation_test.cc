// Runs the conformance cases of all operations with mutations on the device
// under test and compares with the reference kernels; see rounds.h. For longer:
//
//   bazel run //testing/conformance/mutation/device:mutation_test_cpu --
//       --seconds=1200 --seed=1 --fork

#include "dovetail/testing/conformance/mutation/device/device_attempt.h"
#include "dovetail/testing/conformance/mutation/rounds.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(DeviceMutationTest, NothingBreaksAPromise) { RunRounds(&TryOnDevice, 3); }

}  // namespace
}  // namespace dovetail
