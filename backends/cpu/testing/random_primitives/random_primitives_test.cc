// Random primitives beside the reference kernels, at each level of instructions
// that this process may use: a process of its own for each, as a level holds
// for a whole process. For longer:
//
//   bazel run //backends/cpu/testing/random_primitives:random_primitives_test
//       -- --count=5000 --seed=1000
//
// A case that takes longer than --limit ends its process, and so does a crash;
// both are told by level and seed, with the model, and the search goes on
// behind it. --gtest_filter=*/AVX512 --seed=7 --count=1 is one case again.
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "dovetail/backends/cpu/testing/levels/levels.h"
#include "dovetail/backends/cpu/testing/random_primitives/random_primitive.h"
#include "gtest/gtest.h"

ABSL_FLAG(unsigned, seed, 1, "Of the first primitive.");
ABSL_FLAG(unsigned, count, 500, "Primitives a level: of that seed and on.");
ABSL_FLAG(unsigned, limit, 60, "Seconds of processors that one may take.");
ABSL_FLAG(std::string, progress, "",
          "For a process of one level: where it notes the seed it is at.");

namespace dovetail::cpu {
namespace {

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (const Isa isa : kTestLevels) {
    if (Includes(UsableIsa(), isa)) levels.push_back(isa);
  }
  return levels;
}

// ---- The process of a level ----

// Empty, or what is wrong.
std::string Disagreement(unsigned seed) {
  const RandomPrimitive primitive = MakeRandomPrimitive(seed, HasBf16());
  const Compared compared = Compare(primitive.text, primitive.options);
  if (compared.error <= primitive.tolerance) return "";
  std::string kernels;
  if (compared.plan != nullptr) {
    for (const PlannedStep& step : compared.plan->steps) {
      absl::StrAppend(&kernels, " ", step.kernel);
    }
  }
  return absl::StrCat("error ", compared.error, ", ", primitive.tolerance,
                      " is allowed; kernels:", kernels, "; ", compared.message);
}

void Note(const std::string& path, unsigned seed) {
  std::ofstream file(path);
  file << seed << std::endl;
}

// Ends this process when its threads have computed for so long: a compiler that
// does not come to an end cannot be stopped in any other way. What other
// processes keep it waiting does not count.
void LimitTo(unsigned seconds) {
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
}

// What goes wrong is printed.
int SearchLevel() {
  const unsigned first = absl::GetFlag(FLAGS_seed);
  int wrong = 0;
  for (unsigned i = 0; i < absl::GetFlag(FLAGS_count); ++i) {
    Note(absl::GetFlag(FLAGS_progress), first + i);
    LimitTo(absl::GetFlag(FLAGS_limit));
    const std::string message = Disagreement(first + i);
    if (message.empty()) continue;
    ++wrong;
    std::printf("--gtest_filter=*/%s --seed=%u --count=1: %s\n%s\n",
                std::string(IsaName(UsableIsa())).c_str(), first + i,
                message.c_str(),
                MakeRandomPrimitive(first + i, HasBf16()).text.c_str());
  }
  std::fflush(stdout);
  return wrong == 0 ? 0 : 1;
}

// ---- The process of the test ----

class RandomPrimitivesTest : public testing::TestWithParam<Isa> {
 protected:
  RandomPrimitivesTest()
      : progress_(absl::StrCat(testing::TempDir(), "/progress_",
                               IsaName(GetParam()), "_", getpid())) {}
  ~RandomPrimitivesTest() override { std::remove(progress_.c_str()); }

  // How the process of the level ended, as waitpid says it.
  int Run(unsigned seed, unsigned count) const {
    const pid_t pid = fork();
    if (pid == 0) Become(seed, count);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  // The seed that the process was at.
  unsigned Reached(unsigned first) const {
    std::ifstream file(progress_);
    unsigned seed = 0;
    return file >> seed && seed >= first ? seed : first;
  }

 private:
  [[noreturn]] void Become(unsigned seed, unsigned count) const {
    setenv("DOVETAIL_MAX_CPU_ISA", std::string(IsaName(GetParam())).c_str(), 1);
    std::vector<std::string> words = {
        "random_primitives", absl::StrCat("--seed=", seed),
        absl::StrCat("--count=", count),
        absl::StrCat("--limit=", absl::GetFlag(FLAGS_limit)),
        absl::StrCat("--progress=", progress_)};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }

  const std::string progress_;
};

TEST_P(RandomPrimitivesTest, AgreeWithTheReferenceKernelsInTime) {
  const unsigned end = absl::GetFlag(FLAGS_seed) + absl::GetFlag(FLAGS_count);
  for (unsigned seed = absl::GetFlag(FLAGS_seed); seed < end;) {
    const int status = Run(seed, end - seed);
    if (!WIFSIGNALED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0) << "see above";
      return;
    }
    const unsigned at = Reached(seed);
    const int signal = WTERMSIG(status);
    ADD_FAILURE() << "--gtest_filter=*/" << IsaName(GetParam())
                  << " --seed=" << at << " --count=1: "
                  << (signal == SIGPROF
                          ? absl::StrCat("has not come to an end in ",
                                         absl::GetFlag(FLAGS_limit), " s")
                          : strsignal(signal))
                  << "\n"
                  << MakeRandomPrimitive(at, HasBf16()).text;
    seed = at + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, RandomPrimitivesTest,
                         testing::ValuesIn(Levels()), [](const auto& info) {
                           return std::string(IsaName(info.param));
                         });

}  // namespace
}  // namespace dovetail::cpu

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  if (!absl::GetFlag(FLAGS_progress).empty()) {
    return dovetail::cpu::SearchLevel();
  }
  return RUN_ALL_TESTS();
}
