#include "dovetail/backends/gpu/hand_over.h"

#include <utility>

#include "dovetail/core/executor/pools/growing_pool.h"

namespace dovetail::gpu {

void HandOver(Task task) {
  static GrowingPool completions("GPU completion");
  completions.Schedule(std::move(task));
}

}  // namespace dovetail::gpu
