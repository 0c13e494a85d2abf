// Runs the conformance cases of all operations with mutations: a few each, or,
// with flags after "--", for as long as one likes:
//
//   bazel run --config=asan --config=ubsan
//       //testing/conformance/mutation:mutation_test -- --seconds=1200 --seed=1

#include "dovetail/testing/conformance/mutation/promises.h"
#include "dovetail/testing/conformance/mutation/rounds.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(MutationTest, NothingBreaksAPromise) { RunRounds(&Try, 40); }

}  // namespace
}  // namespace dovetail
