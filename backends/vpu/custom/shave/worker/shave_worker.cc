#include "dovetail/backends/vpu/custom/shave/worker/shave_worker.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/custom/shave/worker/worker_image.h"
#include "dovetail/backends/vpu/custom/source/prelude.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail::vpu {
namespace {

// To load a driver and compile the prelude, on a machine with other work.
constexpr int64_t kOpenMs = 120000;
// Where worker_main.cc finds it.
constexpr int kSocket = 3;

// A file of this process that closes itself.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return file_; }
  int Release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

// The same file under a number that the new process has no other use for.
OpenFile Above(const OpenFile& file) {
  return OpenFile(fcntl(file.get(), F_DUPFD_CLOEXEC, kSocket + 1));
}

absl::Status NoProcess(absl::string_view call, int error) {
  return Unavailable("custom kernels run in a process of their own, and none ",
                     "can be started: ", call, ": ", std::strerror(error));
}

// The program as a file in memory.
absl::Status WriteImage(int file) {
  const char* from = dovetail_shave_worker_image;
  while (from != dovetail_shave_worker_image_end) {
    const ssize_t count =
        write(file, from,
              static_cast<size_t>(dovetail_shave_worker_image_end - from));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return NoProcess("write", errno);
    from += count;
  }
  return absl::OkStatus();
}

// With default handlers, no signal blocked, and the socket as its file 3.
int Spawn(const std::string& path, int socket, pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, socket, kSocket);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY,
                                   0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char name[] = "dovetail_shave_worker";
  char* const arguments[] = {name, nullptr};
  const int error = posix_spawn(&pid, path.c_str(), &files, &attributes,
                                arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

absl::StatusOr<WorkerAnswer> DoneOrStatus(absl::string_view bytes) {
  ByteReader reader(bytes);
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t kind, reader.Byte());
  WorkerAnswer answer;
  if (kind == static_cast<uint8_t>(Answer::kFault)) {
    answer.end = WorkerAnswer::End::kFault;
    if (bytes.size() != 1 + sizeof(Fault)) return Internal("a short fault");
    std::memcpy(&answer.fault, bytes.data() + 1, sizeof(Fault));
    return answer;
  }
  if (kind == static_cast<uint8_t>(Answer::kStatus)) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t code, reader.Number());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text, reader.Text());
    return absl::Status(static_cast<absl::StatusCode>(code), text);
  }
  answer.bytes = std::string(bytes.substr(1));
  return answer;
}

}  // namespace

std::string SignalText(const Fault& fault) {
  if (fault.signal == 0) return "its process ended";
  return absl::StrCat("signal ", fault.signal, ", ", strsignal(fault.signal));
}

ShaveWorker& ShaveWorker::Shared() {
  static auto& worker = *new ShaveWorker;
  return worker;
}

uint64_t ShaveWorker::NewId() {
  std::lock_guard<std::mutex> lock(ids_mutex_);
  return ++last_id_;
}

void ShaveWorker::Forget(uint64_t id) {
  std::lock_guard<std::mutex> lock(ids_mutex_);
  forgotten_.push_back(id);
}

std::vector<uint64_t> ShaveWorker::TakeForgotten() {
  std::lock_guard<std::mutex> lock(ids_mutex_);
  return std::exchange(forgotten_, {});
}

absl::StatusOr<ShaveWorker::Turn> ShaveWorker::TakeTurn() {
  Turn turn(*this);
  if (!Runs()) {
    End(/*is_ending=*/false);
    const absl::Status status = Start();
    if (!status.ok()) End(/*is_ending=*/false);
    DOVETAIL_RETURN_IF_ERROR(status);
  }
  return turn;
}

absl::StatusOr<WorkerAnswer> ShaveWorker::Turn::Ask(Question question,
                                                    absl::string_view body,
                                                    int64_t most_ms, int file) {
  return worker_->Ask(question, body, most_ms, file);
}

// Leaves one that ended to End(), which says so to the system: until then its
// number is nobody else's.
bool ShaveWorker::Runs() {
  if (socket_ < 0 || starter_ != getpid()) return false;
  siginfo_t ended = {};
  return waitid(P_PID, static_cast<id_t>(pid_), &ended,
                WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

absl::Status ShaveWorker::Start() {
  const OpenFile made(memfd_create("dovetail_shave_worker", MFD_CLOEXEC));
  if (made.get() < 0) return NoProcess("memfd_create", errno);
  const OpenFile image = Above(made);
  DOVETAIL_RETURN_IF_ERROR(WriteImage(image.get()));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return NoProcess("socketpair", errno);
  }
  const OpenFile theirs(ends[1]);
  OpenFile ours(ends[0]);
  const OpenFile other = Above(theirs);
  const int error = Spawn(absl::StrCat("/proc/self/fd/", image.get()),
                          other.get(), pid_);
  if (error != 0) {
    pid_ = -1;
    return NoProcess("posix_spawn", error);
  }
  socket_ = ours.Release();
  starter_ = getpid();
  ++process_;
  return Open();
}

absl::Status ShaveWorker::Open() {
  DOVETAIL_ASSIGN_OR_RETURN(const WorkerAnswer answer,
                            Ask(Question::kOpen, kPrelude, kOpenMs, -1));
  if (answer.end != WorkerAnswer::End::kDone) {
    return Unavailable("the OpenCL driver for custom kernels cannot be opened ",
                       "in a process of its own: ",
                       answer.end == WorkerAnswer::End::kTimeOut
                           ? "it takes longer than two minutes"
                           : SignalText(answer.fault));
  }
  compiler_ = absl::StrCat(answer.bytes, "; ", HexHash128(kPrelude));
  return absl::OkStatus();
}

// Answers the signal that ended it, where `is_ending` says that it does so by
// itself.
int ShaveWorker::End(bool is_ending) {
  if (socket_ < 0) return 0;
  close(std::exchange(socket_, -1));
  if (starter_ != getpid()) return 0;
  if (!is_ending) kill(pid_, SIGKILL);
  int state = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid_, &state, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == pid_ && WIFSIGNALED(state) ? WTERMSIG(state) : 0;
}

absl::StatusOr<WorkerAnswer> ShaveWorker::Ask(Question question,
                                              absl::string_view body,
                                              int64_t most_ms, int file) {
  ByteWriter message;
  message.Byte(static_cast<uint8_t>(question));
  const std::vector<uint64_t> forgotten = TakeForgotten();
  message.Number(forgotten.size());
  for (const uint64_t id : forgotten) message.Number(id);
  message.Raw(body);
  Received received;
  if (SendMessage(socket_, message.bytes(), file)) {
    received = ReceiveMessage(socket_, most_ms);
  }
  if (received.end == Received::End::kDone) {
    auto answer = DoneOrStatus(received.bytes);
    if (answer.ok() && answer->end == WorkerAnswer::End::kFault) {
      End(/*is_ending=*/true);
    }
    return answer;
  }
  WorkerAnswer answer;
  answer.end = received.end == Received::End::kTimeOut
                   ? WorkerAnswer::End::kTimeOut
                   : WorkerAnswer::End::kFault;
  answer.fault.signal = End(received.end == Received::End::kClosed);
  return answer;
}

}  // namespace dovetail::vpu
