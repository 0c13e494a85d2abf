// The requests of a model that wait for others, and the batches that they run
// in.
#ifndef DOVETAIL_BACKENDS_BATCH_GATHERING_H_
#define DOVETAIL_BACKENDS_BATCH_GATHERING_H_

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/batch/batch_parts.h"
#include "dovetail/backends/batch/batch_run.h"
#include "dovetail/backends/batch/proof/batch_axes.h"
#include "dovetail/core/executor/pools/threads.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::batch {

// Requests wait until a batch is full, until all requests that there are wait,
// or for the time-out. Each has a row of a batch's memory, its home: a batch of
// just those who are at home in one memory runs there, any other in memory of
// nobody's. Thread-safe; a request that waits takes no thread.
class Gathering {
 public:
  // A request.
  struct Guest : Member {
    BatchRun* home = nullptr;
    size_t row = 0;
    // Guarded by the Gathering.
    enum class State { kIdle, kWaiting, kRunning } state = State::kIdle;
    std::chrono::steady_clock::time_point deadline;
    BatchRun* run = nullptr;  // that it is in; null while that is being made
    bool is_cancelled = false;
    bool has_lost_place = false;  // its run ends for another's sake
  };

  // `parts`, which outlive this, are more than one.
  Gathering(BatchParts& parts, BatchAxes axes,
            std::chrono::milliseconds timeout);
  ~Gathering();

  std::chrono::milliseconds timeout() const;
  // Those who wait run at once.
  void SetTimeout(std::chrono::milliseconds timeout);

  // Finds it a home; it outlives its inferences and leaves before it goes.
  absl::Status Enter(Guest& guest);
  void Leave(Guest& guest);
  // Its inference begins; its `done` is called at the end.
  void Join(Guest& guest, StageDone done);
  void Cancel(Guest& guest);

 private:
  using Clock = std::chrono::steady_clock;
  using Guests = absl::InlinedVector<Guest*, 8>;

  // Those with an underscore: with mutex_ held.
  Guests Wait_(Guest& guest, StageDone done);  // those who wait no longer
  Guests TakeIfReady_();
  Guests TakeAll_();
  absl::Status Arm_(Clock::duration wait);
  BatchRun* FindRun_(const Guests& guests, size_t size);
  static void TakeCancelled_(Guests& guests, Guests& cancelled);
  void BeginRun_(BatchRun& run, const Guests& guests);
  void LetIdle_(BatchRun& run);
  void CancelRunOf_(Guest& guest);

  absl::StatusOr<std::unique_ptr<BatchRun>> MakeRun(size_t size);
  void Launch(Guests guests);
  void Ended(BatchRun& run, absl::Status status);
  void OnTimer();
  static void EndAll(absl::Span<Member* const> members,
                     const absl::Status& status);

  BatchParts& parts_;
  const BatchAxes axes_;
  const size_t size_;  // of a full batch
  const std::shared_ptr<Threads> threads_ = Threads::OfProcess();

  mutable std::mutex mutex_;  // guards what follows
  std::chrono::milliseconds timeout_;
  std::vector<Guest*> waiting_;  // the first to come first
  size_t guests_ = 0;
  struct Home {
    std::unique_ptr<BatchRun> run;
    std::vector<bool> is_taken;  // by row
  };
  std::vector<Home> homes_;
  std::vector<std::unique_ptr<BatchRun>> runs_;    // of nobody's memory
  std::map<size_t, std::vector<BatchRun*>> idle_;  // of runs_, by size
  bool is_armed_ = false;
  Timer::Id timer_ = 0;
};

}  // namespace dovetail::batch

#endif  // DOVETAIL_BACKENDS_BATCH_GATHERING_H_
