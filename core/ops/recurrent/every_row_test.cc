// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/recurrent/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(RecurrentOps());
const InferTester tester(RecurrentOps());

const TextAttributes kSize4 = {{"hidden_size", "4"}};

// A cell with `gates`, whose batch, 2, only input 1 tells.
TEST(EveryCellTest, InfersAndRefuses) {
  const InputSpec x = F32({-1, 5}), state = F32({2, 4});
  const auto weights = [](int64_t gates, int64_t extent) {
    return F32({4 * gates, extent});
  };
  const auto lstm = [&](const InputSpec& cell) {
    return std::vector<InputSpec>{x, state, cell, weights(4, 5),
                                  weights(4, 4), F32({16})};
  };
  ExpectShapes(tester, {
      {"RNNCell-0", {x, state, weights(1, 5), weights(1, 4), F32({4})},
       kSize4, "f32[2,4]"},
      {"GRUCell-3", {x, state, weights(3, 5), weights(3, 4), F32({12})},
       kSize4, "f32[2,4]"},
      {"LSTMCell-0", lstm(state), kSize4, "f32[2,4] f32[2,4]"},
      {"LSTMCell-4", lstm(state), kSize4, "f32[2,4] f32[2,4]"},
  });
  for (const char* op : {"LSTMCell-0", "LSTMCell-4"}) {
    ExpectErrors(tester, {
        {op, lstm(F32({3, 4})), kSize4, "input 2 has shape [3,4], want 2"},
    });
  }
}

// Sequences of T 7 and one direction.
std::vector<InputSpec> Sequence(int64_t gates, bool lstm,
                                const Dimension& length) {
  std::vector<InputSpec> inputs = {F32({2, length, 5}), F32({-1, 1, 4})};
  if (lstm) inputs.push_back(F32({2, 1, 4}));
  inputs.push_back(I32({2}));
  inputs.push_back(F32({1, gates * 4, 5}));
  inputs.push_back(F32({1, gates * 4, 4}));
  inputs.push_back(F32({1, gates * 4}));
  return inputs;
}

TEST(EverySequenceTest, InfersAndRefuses) {
  const Dimension some(2, 9);
  ExpectShapes(tester, {
      {"RNNSequence-5", Sequence(1, false, some), kSize4,
       "f32[2,1,2..9,4] f32[2,1,4]"},
      {"GRUSequence-5", Sequence(3, false, some), kSize4,
       "f32[2,1,2..9,4] f32[2,1,4]"},
      {"LSTMSequence-0", Sequence(4, true, some), kSize4,
       "f32[2,1,2..9,4] f32[2,1,4] f32[2,1,4]"},
      {"LSTMSequence-5", Sequence(4, true, some), kSize4,
       "f32[2,1,2..9,4] f32[2,1,4] f32[2,1,4]"},
  });
  const TextAttributes five = {{"hidden_size", "5"}};
  ExpectErrors(tester, {
      {"GRUSequence-5", Sequence(3, false, 7), five, "which is hidden_size"},
      {"LSTMSequence-0", Sequence(4, true, 7), five, "which is hidden_size"},
      {"LSTMSequence-5", Sequence(4, true, 7), five, "which is hidden_size"},
  });
}

}  // namespace
}  // namespace dovetail
