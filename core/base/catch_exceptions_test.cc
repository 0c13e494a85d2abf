#include "dovetail/core/base/catch_exceptions.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string Layer() { return "layer 'x'"; }

TEST(CatchExceptionsTest, AnswersWhatTheBodyDoes) {
  const auto answer =
      CatchExceptions(&Layer, []() -> absl::StatusOr<int> { return 3; });
  EXPECT_EQ(answer.value(), 3);
  EXPECT_EQ(CatchExceptions(&Layer, [] { return NotFound("no"); }),
            NotFound("no"));
}

TEST(CatchExceptionsTest, SaysWhoseMemoryIsOut) {
  EXPECT_EQ(
      CatchExceptions(&Layer, []() -> absl::Status { throw std::bad_alloc(); }),
      ResourceExhausted("layer 'x': out of memory"));
  EXPECT_EQ(CatchExceptions(&Layer,
                            []() -> absl::Status {
                              std::vector<int> numbers;
                              numbers.reserve(numbers.max_size() + 1);
                              return absl::OkStatus();
                            }),
            ResourceExhausted("layer 'x': a size is too large"));
}

TEST(CatchExceptionsTest, OthersAreOurFault) {
  EXPECT_EQ(
      CatchExceptions(
          &Layer, []() -> absl::Status { throw std::runtime_error("broken"); }),
      Internal("layer 'x': broken"));
}

}  // namespace
}  // namespace dovetail
