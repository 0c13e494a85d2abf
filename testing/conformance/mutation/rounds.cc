#include "dovetail/testing/conformance/mutation/rounds.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "dovetail/testing/conformance/mutation/subjects.h"
#include "gtest/gtest.h"

ABSL_FLAG(uint64_t, seed, 20'261'121, "Another one gives other mutations.");
ABSL_FLAG(int, mutations, 0,
          "Mutations of each case in one round; 0: as many as the test wants.");
ABSL_FLAG(double, seconds, 0, "Rounds begin until then; 0: one round.");
ABSL_FLAG(std::string, cases, "", "Only cases with this in their names.");
ABSL_FLAG(int, only, -1, "Only the mutation of this number of each case.");
ABSL_FLAG(bool, fork, false,
          "Each case in a process of its own, so that it may crash.");
ABSL_FLAG(bool, print, false, "Show each model and its inputs.");
ABSL_FLAG(int, limit, 60, "Seconds after which one mutation hangs.");

// Of the sanitizers, when there are any.
extern "C" void __sanitizer_set_death_callback(void (*callback)())
    __attribute__((weak));

namespace dovetail {
namespace {

// What is being run, for whoever has to find out why that was fatal.
char current[1000] = "";

void ShowCurrent() {
  (void)!write(STDERR_FILENO, current, std::strlen(current));
}

void ShowCurrentAndDie(int signal) {
  if (signal == SIGALRM) {
    constexpr char kText[] = "\nThis takes too long.";
    (void)!write(STDERR_FILENO, kText, sizeof(kText) - 1);
  }
  ShowCurrent();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void ShowCurrentInTheEnd() {
  std::signal(SIGALRM, &ShowCurrentAndDie);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(&ShowCurrent);
    return;
  }
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
    std::signal(signal, &ShowCurrentAndDie);
  }
}

struct Count {
  int64_t tried = 0, inferred = 0, ran = 0, broken = 0;
};

uint64_t HashOf(absl::string_view text) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  }
  return hash;
}

void Print(const Subject& subject) {
  std::printf("%s\n", subject.model->ToString().c_str());
  for (const Tensor& input : subject.inputs) {
    std::printf("input %s\n", input.ToString().c_str());
  }
  std::fflush(stdout);
}

class Rounds {
 public:
  Rounds(const Attempt& attempt, int mutations)
      : attempt_(attempt), mutations_(mutations) {
    const int wanted = absl::GetFlag(FLAGS_mutations);
    if (wanted > 0) mutations_ = wanted;
  }

  void RunOne(const std::vector<NamedSubject>& subjects) {
    for (const NamedSubject& sound : subjects) {
      absl::GetFlag(FLAGS_fork) ? RunCaseInProcess(sound) : RunCase(sound);
    }
    ++round_;
  }

  void Report() const {
    std::printf(
        "%lld mutations, %lld inferred, %lld ran, %lld broke a promise\n",
        static_cast<long long>(count_.tried),     // NOLINT
        static_cast<long long>(count_.inferred),  // NOLINT
        static_cast<long long>(count_.ran),       // NOLINT
        static_cast<long long>(count_.broken));   // NOLINT
    EXPECT_GT(count_.tried, 0);
  }

 private:
  // Mutation number `number` of a case.
  void Run(const NamedSubject& sound, int number) {
    const uint64_t seed = absl::GetFlag(FLAGS_seed);
    Random random(HashOf(absl::StrCat(sound.name, " ", seed, " ", number)));
    Subject subject = sound.subject.Clone();
    const std::string changes = Mutate(random, subject);
    std::snprintf(current, sizeof(current),
                  "\n--seed=%llu --cases=%s --only=%d  (%s)\n",
                  static_cast<unsigned long long>(seed),  // NOLINT
                  sound.name.c_str(), number, changes.c_str());
    if (absl::GetFlag(FLAGS_print)) Print(subject);
    alarm(absl::GetFlag(FLAGS_limit));
    const Trial trial = attempt_(std::move(subject));
    alarm(0);
    ++count_.tried;
    count_.inferred += trial.inferred ? 1 : 0;
    count_.ran += trial.ran ? 1 : 0;
    if (trial.broken.empty()) return;
    ++count_.broken;
    ADD_FAILURE() << trial.broken << current;
  }

  void RunCase(const NamedSubject& sound) {
    const int only = absl::GetFlag(FLAGS_only);
    if (only >= 0) return Run(sound, only);
    for (int i = 0; i < mutations_; ++i) {
      Run(sound, round_ * mutations_ + i);
    }
  }

  // The same in a process of its own.
  void RunCaseInProcess(const NamedSubject& sound) {
    const pid_t child = fork();
    if (child == 0) {
      count_ = Count();
      RunCase(sound);
      std::fflush(nullptr);
      _exit(count_.broken == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    count_.tried += mutations_;
    if (status == 0) return;
    ++count_.broken;
    ADD_FAILURE() << "case " << sound.name << " ended with status " << status;
  }

  const Attempt& attempt_;
  int mutations_;
  int round_ = 0;
  Count count_;
};

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start_)
        .count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

}  // namespace

void RunRounds(const Attempt& attempt, int mutations) {
  ShowCurrentInTheEnd();
  auto subjects = LoadSubjects(absl::GetFlag(FLAGS_cases));
  ASSERT_TRUE(subjects.ok()) << subjects.status();
  const Clock clock;
  Rounds rounds(attempt, mutations);
  do {
    rounds.RunOne(*subjects);
  } while (clock.seconds() < absl::GetFlag(FLAGS_seconds));
  rounds.Report();
}

}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
