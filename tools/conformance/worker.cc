#include "dovetail/tools/conformance/worker.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

bool ReadAll(int descriptor, void* data, size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool WriteAll(int descriptor, const void* data, size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = write(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// What goes over the pipe before the message and the bounds.
struct Record {
  int32_t kind;
  uint32_t message_size;
  uint32_t bounds_size;
  double seconds;
};

bool Send(int descriptor, const Outcome& outcome) {
  const Record record = {static_cast<int32_t>(outcome.kind),
                         static_cast<uint32_t>(outcome.message.size()),
                         static_cast<uint32_t>(outcome.bounds.size()),
                         outcome.seconds};
  return WriteAll(descriptor, &record, sizeof(record)) &&
         WriteAll(descriptor, outcome.message.data(), outcome.message.size()) &&
         WriteAll(descriptor, outcome.bounds.data(), outcome.bounds.size());
}

bool Receive(int descriptor, Outcome& outcome) {
  Record record;
  if (!ReadAll(descriptor, &record, sizeof(record))) return false;
  outcome.kind = static_cast<Outcome::Kind>(record.kind);
  outcome.seconds = record.seconds;
  outcome.message.resize(record.message_size);
  outcome.bounds.resize(record.bounds_size);
  return ReadAll(descriptor, outcome.message.data(), outcome.message.size()) &&
         ReadAll(descriptor, outcome.bounds.data(), outcome.bounds.size());
}

// The worker's life: cases in, outcomes out, until the parent hangs up. It
// leaves without destructors of the parent's objects.
[[noreturn]] void Serve(const CaseFn& run, int in, int out) {
  int32_t i;
  while (ReadAll(in, &i, sizeof(i))) {
    if (!Send(out, run(i))) break;
  }
  _exit(0);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Worker>> Worker::Start(const CaseFn& run) {
  int down[2], up[2];
  if (pipe(down) != 0) {
    return ResourceExhausted("no pipe for a worker: ", std::strerror(errno));
  }
  if (pipe(up) != 0) {
    close(down[0]), close(down[1]);
    return ResourceExhausted("no pipe for a worker: ", std::strerror(errno));
  }
  // Writing to a worker that has died is an error to handle, not a signal.
  signal(SIGPIPE, SIG_IGN);
  const pid_t pid = fork();
  if (pid == 0) {
    close(down[1]), close(up[0]);
    Serve(run, down[0], up[1]);
  }
  close(down[0]), close(up[1]);
  if (pid < 0) {
    close(down[1]), close(up[0]);
    return ResourceExhausted("no process for a worker: ",
                             std::strerror(errno));
  }
  return std::unique_ptr<Worker>(new Worker(pid, down[1], up[0]));
}

Worker::~Worker() {
  close(to_worker_);
  if (alive()) {
    // Hanging up would not end it: workers started later hold this pipe too.
    kill(pid_, SIGKILL);
    Reap();
  }
  close(from_worker_);
}

std::string Worker::Reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return absl::StrCat("crashed: ", strsignal(WTERMSIG(status)));
  }
  return absl::StrCat("ended with exit code ", WEXITSTATUS(status));
}

void Worker::Assign(int i) {
  assigned_ = i;
  since_ = std::chrono::steady_clock::now();
  const int32_t number = i;
  // A failure shows in Collect: the pipe back has been closed too.
  (void)WriteAll(to_worker_, &number, sizeof(number));
}

Outcome Worker::Collect() {
  assigned_.reset();
  Outcome outcome;
  if (Receive(from_worker_, outcome)) return outcome;
  outcome.kind = Outcome::Kind::kFailed;
  outcome.message = Reap();
  return outcome;
}

Outcome Worker::Abandon(double limit_seconds) {
  assigned_.reset();
  kill(pid_, SIGKILL);
  Reap();
  Outcome outcome;
  outcome.seconds = limit_seconds;
  outcome.message = absl::StrCat("took more than ", limit_seconds, " s");
  return outcome;
}

}  // namespace dovetail::conformance
