#include "dovetail/backends/gpu/hand_over.h"

#include <utility>

#include "dovetail/core/executor/pools/growing_pool.h"

namespace dovetail::gpu {

namespace {

GrowingPool& Completions() {
  static GrowingPool completions("GPU completion");
  return completions;
}

}  // namespace

void HandOver(Task task) { Completions().Schedule(std::move(task)); }

void PrepareHandOver() { Completions(); }

}  // namespace dovetail::gpu
