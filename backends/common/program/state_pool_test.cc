#include "dovetail/backends/common/program/state_pool.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ProgramStatePoolTest, RunsOneAfterTheOtherHaveOneState) {
  ProgramStatePool pool;
  const int stream = 0;
  const ProgramState* first = nullptr;
  {
    const ProgramStatePool::Borrowed state(pool, &stream);
    first = &*state;
  }
  for (int i = 0; i < 3; ++i) {
    const ProgramStatePool::Borrowed state(pool, &stream);
    EXPECT_EQ(&*state, first);
  }
}

TEST(ProgramStatePoolTest, RunsAtTheSameTimeHaveTheirOwn) {
  ProgramStatePool pool;
  const int streams[2] = {};
  const ProgramState* second = nullptr;
  {
    const ProgramStatePool::Borrowed one(pool, &streams[0]);
    const ProgramStatePool::Borrowed two(pool, &streams[0]);
    const ProgramStatePool::Borrowed other(pool, &streams[1]);
    EXPECT_NE(&*one, &*two);
    EXPECT_NE(&*one, &*other);
    EXPECT_NE(&*two, &*other);
    second = &*one;  // given back last
  }
  const ProgramStatePool::Borrowed state(pool, &streams[0]);
  EXPECT_EQ(&*state, second);
}

}  // namespace
}  // namespace dovetail
