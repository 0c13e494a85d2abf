// One batch at a time: several requests' inferences as one of a device's.
#ifndef DOVETAIL_BACKENDS_BATCH_BATCH_RUN_H_
#define DOVETAIL_BACKENDS_BATCH_BATCH_RUN_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/batch/proof/batch_axes.h"
#include "dovetail/backends/common/scheduling/start_mark.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/request/stage_chain.h"

namespace dovetail::batch {

// What a batch needs of one request. The tensors stay as they are while it
// runs.
struct Member {
  std::vector<Tensor> inputs, outputs;
  // Of the inference that the request runs, and what it has come to.
  StageDone done;
  StartMark start;  // of the stage that is done so
  std::vector<ProfilingRecord> profiling;
};

using Members = absl::InlinedVector<Member*, 8>;

// A context for `size` requests and its memory. The first row is the first
// member's. What a member has elsewhere is copied into its row before, and out
// of it afterwards; a tensor that is the row itself is not. A context for one
// request takes the member's own tensors.
class BatchRun {
 public:
  // Called at the end, in a thread of the device; the run may be started again
  // by then.
  using Ended = std::function<void(BatchRun& run, absl::Status status)>;

  // `part` outlives the run, and is for `size` requests at once.
  static absl::StatusOr<std::unique_ptr<BatchRun>> Create(
      const Executable& part, const BatchAxes& axes, size_t size, Ended ended);

  size_t size() const { return size_; }
  // Row `row` of the memory; a default Tensor where a row's elements do not lie
  // side by side.
  Tensor InputRow(int i, size_t row) const;
  Tensor OutputRow(int i, size_t row) const;

  // At least one, at most size(). Not to be called while it runs.
  void Begin(const Members& members);
  const Members& members() const { return members_; }
  Members TakeMembers();
  // Whether the members' tensors have been looked at.
  bool has_gathered() const { return has_gathered_; }
  // After Begin.
  void Start() { chain_->Start({&BatchRun::ChainEnded, this}); }
  // Ends it soon, at once if it waits for a thread; between Begin and the end.
  void Cancel();

 private:
  BatchRun(size_t size, Ended ended) : size_(size), ended_(std::move(ended)) {}
  absl::Status Prepare(const Executable& part, const BatchAxes& axes);
  absl::Status Gather();
  absl::Status GatherRow(Member& from, size_t row);
  absl::Status Scatter();
  static void ChainEnded(void* run, absl::Status status);

  const size_t size_;
  const Ended ended_;
  bool is_timed_ = false;
  std::unique_ptr<ExecutionContext> context_;
  std::vector<std::vector<Tensor>> input_rows_, output_rows_;  // by port
  std::vector<Stage> stages_;
  std::unique_ptr<StageChain> chain_;
  Members members_;
  std::atomic<bool> has_gathered_ = false;
};

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_BATCH_RUN_H_
