#include "dovetail/backends/vpu/custom/shave/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr rlim_t kProcessorSeconds = 30;
constexpr auto kMostTime = std::chrono::seconds(120);
// Far more than a log has that somebody reads.
constexpr size_t kMostText = 1 << 20;

void WriteAll(int file, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<size_t>(count);
  }
}

[[noreturn]] void RunAsChild(const std::function<std::string()>& work,
                             int file) {
  const rlimit processor = {kProcessorSeconds, kProcessorSeconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // Handlers of this process are for itself.
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGXCPU}) {
    signal(number, SIG_DFL);
  }
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  WriteAll(file, work());
  _exit(0);
}

// All that comes until the other end closes; false where it takes too long.
bool ReadAll(int file, std::string& text) {
  const Clock::time_point end = Clock::now() + kMostTime;
  char buffer[4096];
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    pollfd one = {file, POLLIN, 0};
    const int ready =
        poll(&one, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = read(file, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (text.size() < kMostText)
      text.append(buffer, static_cast<size_t>(count));
  }
}

int WaitFor(pid_t child) {
  int state = 0;
  while (waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return state;
}

}  // namespace

ChildOutcome RunInChild(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) RunAsChild(work, ends[1]);
  close(ends[1]);
  ChildOutcome outcome;
  if (child > 0) {
    const bool has_ended = ReadAll(ends[0], outcome.text);
    if (!has_ended) kill(child, SIGKILL);
    const int state = WaitFor(child);
    if (has_ended && state >= 0 && WIFEXITED(state)) {
      outcome.end = ChildOutcome::End::kDone;
    } else if (has_ended && state >= 0 && WIFSIGNALED(state)) {
      outcome.end = ChildOutcome::End::kCrashed;
      outcome.text = absl::StrCat("signal ", WTERMSIG(state), ", ",
                                  strsignal(WTERMSIG(state)));
    }
  }
  close(ends[0]);
  return outcome;
}

}  // namespace dovetail::vpu
