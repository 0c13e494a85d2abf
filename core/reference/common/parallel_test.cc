#include "dovetail/core/reference/common/parallel.h"

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/structural/structural.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ParallelLoopTest, WhatAPartThrowsComesOutAfterAll) {
  ThreadPool pool(4);
  Model model;
  const Node* node = *AddParameter(model, ElementType::kF32, {1});
  KernelEnvironment environment;
  environment.executor = &pool;
  const KernelContext context(*node, {}, {}, environment);
  std::atomic<int64_t> done = 0;
  const auto loop = [&] {
    ParallelLoop(context, 100, kOperationsPerPart,
                 [&](int64_t begin, int64_t end) {
                   done += end - begin;
                   throw std::length_error("too large");
                 });
  };
  EXPECT_THROW(loop(), std::length_error);
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace dovetail
