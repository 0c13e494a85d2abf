// Runs the conformance cases of all operations with mutations: a few each, or,
// with flags after "--", for as long as one likes:
//
//   bazel run --config=asan --config=ubsan
//       //testing/conformance/mutation:mutation_test -- --seconds=1200 --seed=1
//
// What is being run is printed when it ends the process, as flags that run it
// again.
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
#include "dovetail/testing/conformance/mutation/mutator.h"
#include "dovetail/testing/conformance/mutation/promises.h"
#include "dovetail/testing/conformance/mutation/subjects.h"
#include "gtest/gtest.h"

ABSL_FLAG(uint64_t, seed, 20'261'121, "Another one gives other mutations.");
ABSL_FLAG(int, mutations, 40, "Mutations of each case in one round.");
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

// Mutation number `number` of a case.
void RunOne(const std::string& name, const Subject& sound, int number,
            Count& count) {
  const uint64_t seed = absl::GetFlag(FLAGS_seed);
  Random random(HashOf(absl::StrCat(name, " ", seed, " ", number)));
  Subject subject = sound.Clone();
  const std::string changes = Mutate(random, subject);
  std::snprintf(current, sizeof(current),
                "\n--seed=%llu --cases=%s --only=%d  (%s)\n",
                static_cast<unsigned long long>(seed),  // NOLINT
                name.c_str(), number, changes.c_str());
  if (absl::GetFlag(FLAGS_print)) Print(subject);
  alarm(absl::GetFlag(FLAGS_limit));
  const Trial trial = Try(std::move(subject));
  alarm(0);
  ++count.tried;
  count.inferred += trial.inferred ? 1 : 0;
  count.ran += trial.ran ? 1 : 0;
  if (trial.broken.empty()) return;
  ++count.broken;
  ADD_FAILURE() << trial.broken << current;
}

void RunCase(const NamedSubject& sound, int round, Count& count) {
  const int mutations = absl::GetFlag(FLAGS_mutations);
  const int only = absl::GetFlag(FLAGS_only);
  if (only >= 0) return RunOne(sound.name, sound.subject, only, count);
  for (int i = 0; i < mutations; ++i) {
    RunOne(sound.name, sound.subject, round * mutations + i, count);
  }
}

// The same in a process of its own.
void RunCaseInProcess(const NamedSubject& sound, int round, Count& count) {
  const pid_t child = fork();
  if (child == 0) {
    Count its_own;
    RunCase(sound, round, its_own);
    std::fflush(nullptr);
    _exit(its_own.broken == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  count.tried += absl::GetFlag(FLAGS_mutations);
  if (status == 0) return;
  ++count.broken;
  ADD_FAILURE() << "case " << sound.name << " ended with status " << status;
}

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

TEST(MutationTest, NothingBreaksAPromise) {
  ShowCurrentInTheEnd();
  auto subjects = LoadSubjects(absl::GetFlag(FLAGS_cases));
  ASSERT_TRUE(subjects.ok()) << subjects.status();
  const Clock clock;
  Count count;
  int round = 0;
  do {
    for (const NamedSubject& sound : *subjects) {
      absl::GetFlag(FLAGS_fork) ? RunCaseInProcess(sound, round, count)
                                : RunCase(sound, round, count);
    }
    ++round;
  } while (clock.seconds() < absl::GetFlag(FLAGS_seconds));
  std::printf("%lld mutations, %lld inferred, %lld ran, %lld broke a promise\n",
              static_cast<long long>(count.tried),     // NOLINT
              static_cast<long long>(count.inferred),  // NOLINT
              static_cast<long long>(count.ran),       // NOLINT
              static_cast<long long>(count.broken));   // NOLINT
  EXPECT_GT(count.tried, 0);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
