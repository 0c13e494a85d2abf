// The process that compiles and runs kernels for SHAVEs: what a kernel or a
// driver's compiler breaks, it breaks there.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_SHAVE_WORKER_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_SHAVE_WORKER_H_

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/custom/shave/worker/message.h"

namespace dovetail::vpu {

struct WorkerAnswer {
  enum class End { kDone, kFault, kTimeOut };
  End end = End::kDone;
  std::string bytes;  // of kDone
  Fault fault;        // of kFault
};

// "signal 11, Segmentation fault"
std::string SignalText(const Fault& fault);

// One process, which is started when it is first needed, again where it ended,
// and ends with this one. Any thread may call.
class ShaveWorker {
 public:
  // That of this process.
  static ShaveWorker& Shared();

  ShaveWorker(const ShaveWorker&) = delete;
  ShaveWorker& operator=(const ShaveWorker&) = delete;

  // A number for a program or a launch, of all that this worker ever has.
  uint64_t NewId();
  // What has this number is not asked for again. Waits for nobody.
  void Forget(uint64_t id);

  // While a caller has it nobody else can ask anything.
  class Turn {
   public:
    // Which process answers: what an earlier one was given is gone.
    uint64_t process() const { return worker_->process_; }
    // The driver and the processor, and what the prelude knows.
    const std::string& compiler() const { return worker_->compiler_; }

    // `body` is what the question of worker_main.cc takes. An error that the
    // process answers is a Status. After kFault and kTimeOut, `most_ms` having
    // passed (below 0: it may last for ever), the process is no more.
    absl::StatusOr<WorkerAnswer> Ask(Question question, absl::string_view body,
                                     int64_t most_ms, int file = -1);

   private:
    friend class ShaveWorker;
    explicit Turn(ShaveWorker& worker)
        : worker_(&worker), lock_(worker.mutex_) {}

    ShaveWorker* worker_;
    std::unique_lock<std::mutex> lock_;
  };

  // Waits for its turn; a process runs then. kUnavailable where none can be
  // started, where there is no OpenCL driver for processors, or where its
  // compiler takes no numbers of half precision.
  absl::StatusOr<Turn> TakeTurn();

 private:
  ShaveWorker() = default;

  bool Runs();
  absl::Status Start();
  absl::Status Open();
  int End(bool is_ending);
  absl::StatusOr<WorkerAnswer> Ask(Question question, absl::string_view body,
                                   int64_t most_ms, int file);
  std::vector<uint64_t> TakeForgotten();

  std::mutex mutex_;  // of what follows
  uint64_t process_ = 0;
  pid_t pid_ = -1;
  pid_t starter_ = -1;  // a copy of that process has no worker
  int socket_ = -1;
  std::string compiler_;

  std::mutex ids_mutex_;  // of what follows
  uint64_t last_id_ = 0;
  std::vector<uint64_t> forgotten_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_SHAVE_WORKER_H_
