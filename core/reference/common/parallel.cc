#include "dovetail/core/reference/common/parallel.h"

#include <exception>
#include <mutex>

#include "dovetail/core/executor/parallel_for.h"

namespace dovetail {

void ParallelLoop(const KernelContext& context, int64_t count, int64_t cost,
                  absl::FunctionRef<void(int64_t begin, int64_t end)> body) {
  if (count <= 0) return;
  const int64_t grain =
      std::max<int64_t>(1, kOperationsPerPart / std::max<int64_t>(1, cost));
  if (count <= grain) return body(0, count);
  // An exception, such as of memory that is out, would end another thread, and
  // in this one it would leave while others are still at work.
  std::mutex mutex;
  std::exception_ptr thrown;
  ParallelFor(context.executor(), count, grain,
              [&](int64_t begin, int64_t end) {
                try {
                  body(begin, end);
                } catch (...) {
                  const std::lock_guard<std::mutex> lock(mutex);
                  thrown = std::current_exception();
                }
              });
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace dovetail
