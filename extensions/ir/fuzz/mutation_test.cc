// Reads thousands of malformed files: none may do anything but give a model or
// an error.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "dovetail/extensions/ir/fuzz/mutator.h"
#include "dovetail/extensions/ir/fuzz/one_input.h"
#include "dovetail/extensions/ir/fuzz/seeds.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "gtest/gtest.h"

namespace dovetail::ir {
namespace {

// What is being read, for whoever has to find out why that was fatal.
const std::string* current_input = nullptr;

void ShowInputAndDie(int signal) {
  if (current_input != nullptr) {
    const char text[] = "\n---- the input at this moment ----\n";
    (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
    (void)!write(STDERR_FILENO, current_input->data(), current_input->size());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

TEST(MutationTest, SeedsAreWellFormed) {
  for (const std::string& seed : FuzzSeeds()) {
    EXPECT_EQ(TryOneInput(seed), "") << seed;
    const size_t end = seed.find('\0');
    const auto model = ReadIrFromMemory(seed.substr(0, end),
                                        BytesOf(seed.substr(end + 1)));
    EXPECT_TRUE(model.ok()) << model.status();
  }
}

TEST(MutationTest, NothingIsFatal) {
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
    std::signal(signal, &ShowInputAndDie);
  }
  // Bounded by number where machines are fast and by time where they are slow.
  constexpr int kInputs = 20'000;
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(15);
  const std::vector<std::string> seeds = FuzzSeeds();
  Mutator mutator(20'240'601);
  int tried = 0;
  for (; tried < kInputs && std::chrono::steady_clock::now() < stop; ++tried) {
    const std::string input =
        mutator.Mutate(seeds[mutator.Below(seeds.size())]);
    current_input = &input;
    ASSERT_EQ(TryOneInput(input), "") << "input " << tried << ":\n" << input;
    current_input = nullptr;
  }
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace dovetail::ir
