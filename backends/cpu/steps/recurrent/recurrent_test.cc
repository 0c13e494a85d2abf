#include "dovetail/backends/cpu/steps/recurrent/recurrent.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/recurrent/narrow_product.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 5e-5;

struct Case {
  std::string type;  // "LSTM"
  int64_t batch, time, input, size;
  std::string direction = "forward";
  bool linear_before_reset = false;
  std::string constants = "constant";  // see Compare
};

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32",
                      const std::string& name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}",
                      name.empty() ? "" : "  # " + name, "\n");
}

std::string Weights(const std::string& id, const std::string& shape,
                    const std::string& constants = "constant") {
  return Parameter(id, shape, "f32", constants + " " + id);
}

int64_t GatesOf(const Case& c) {
  return c.type == "LSTM" ? 4 : c.type == "GRU" ? 3 : 1;
}

std::string Attributes(const Case& c, bool is_sequence) {
  std::string text = absl::StrCat("{hidden_size: ", c.size);
  if (is_sequence) absl::StrAppend(&text, ", direction: ", c.direction);
  if (c.type == "GRU") {
    absl::StrAppend(&text, ", linear_before_reset: ",
                    c.linear_before_reset ? "true" : "false");
  }
  return text + "}\n";
}

int64_t BiasOf(const Case& c) {
  return (GatesOf(c) + (c.linear_before_reset ? 1 : 0)) * c.size;
}

std::string Results(const std::string& node, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%r", i, " = Result-0(", node, ":", i, ") {}\n");
  }
  return text;
}

std::string Sequence(const Case& c) {
  const int directions = c.direction == "bidirectional" ? 2 : 1;
  const bool is_lstm = c.type == "LSTM";
  const std::string state = absl::StrCat(c.batch, ",", directions, ",", c.size);
  const int64_t rows = GatesOf(c) * c.size;
  return absl::StrCat(
      Parameter("%x", absl::StrCat(c.batch, ",", c.time, ",", c.input)),
      Parameter("%h", state), is_lstm ? Parameter("%c", state) : "",
      Parameter("%n", absl::StrCat(c.batch), "i32"),
      Weights("%w", absl::StrCat(directions, ",", rows, ",", c.input),
              c.constants),
      Weights("%u", absl::StrCat(directions, ",", rows, ",", c.size),
              c.constants),
      Weights("%b", absl::StrCat(directions, ",", BiasOf(c))), "%y = ", c.type,
      "Sequence-5(%x, %h, ", is_lstm ? "%c, " : "", "%n, %w, %u, %b) ",
      Attributes(c, true), Results("%y", is_lstm ? 3 : 2));
}

std::string Cell(const Case& c) {
  const bool is_lstm = c.type == "LSTM";
  const std::string state = absl::StrCat(c.batch, ",", c.size);
  const int64_t rows = GatesOf(c) * c.size;
  const char* version = is_lstm ? "-4" : c.type == "GRU" ? "-3" : "-0";
  return absl::StrCat(
      Parameter("%x", absl::StrCat(c.batch, ",", c.input)),
      Parameter("%h", state), is_lstm ? Parameter("%c", state) : "",
      Weights("%w", absl::StrCat(rows, ",", c.input)),
      Weights("%u", absl::StrCat(rows, ",", c.size)),
      Weights("%b", absl::StrCat(BiasOf(c))), "%y = ", c.type, "Cell", version,
      "(%x, %h, ", is_lstm ? "%c, " : "", "%w, %u, %b) ",
      Attributes(c, false), Results("%y", is_lstm ? 2 : 1));
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const std::string direction : {"forward", "reverse", "bidirectional"}) {
    for (const std::string type : {"LSTM", "GRU", "RNN"}) {
      // Lengths are random numbers up to 5.
      cases.push_back({type, 3, 6, 10, 20, direction});
      cases.push_back({type, 1, 5, 33, 16, direction});
    }
    cases.push_back({"GRU", 3, 6, 10, 20, direction, true});
    cases.push_back({"GRU", 7, 5, 3, 70, direction, true});
  }
  return cases;
}

TEST(RecurrentTest, SequencesAgreeWithTheReference) {
  CompareOptions options;
  for (const Case& c : Cases()) {
    for (const int threads : {1, 3}) {
      options.settings.threads = threads;
      const std::string model = Sequence(c);
      const Compared compared = Compare(model, options);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      EXPECT_EQ(compared.KernelOf(c.type + "Sequence"), "recurrent_f32")
          << model;
    }
  }
}

TEST(RecurrentTest, CellsAgreeWithTheReference) {
  for (const Case& c : Cases()) {
    const std::string model = Cell(c);
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.KernelOf(c.type + "Cell"), "recurrent_f32") << model;
  }
}

// Where bf16 is worth it, if the processor has it.
TEST(RecurrentTest, ReadsWeightsOfBf16) {
  MachineModel machine = ThisMachine();
  machine.bf16 = 2 * machine.f32();
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  options.settings.machine = &machine;
  const bool has = HasNarrowProducts(NarrowForm::kBf16);
  for (Case c : Cases()) {
    c.input *= 4;  // so that no rows happen to be integers
    c.constants = "constant_small";
    for (const int threads : {1, 3}) {
      options.settings.threads = threads;
      const std::string model = Sequence(c);
      const Compared compared = Compare(model, options);
      EXPECT_LT(compared.error, has ? 0.02 : kTolerance)
          << model << compared.message;
      EXPECT_EQ(compared.KernelOf(c.type + "Sequence"),
                has ? "recurrent_bf16" : "recurrent_f32")
          << model;
    }
  }
}

// %name: weights of `rows` rows that are stored in 8 bits.
std::string WeightsOfCodes(const std::string& name, const std::string& shape,
                           int64_t rows, int directions) {
  return absl::StrCat(
      name, "i = Parameter-0() {shape: [", shape,
      "], element_type: i8}  # constant codes\n", name, "f = Convert-0(", name,
      "i) {destination_type: f32}\n", name, "p = Parameter-0() {shape: [",
      directions, ",", rows, ",1], element_type: f32}  # constant_small scales\n",
      name, "t = Constant-0() {value: f32[] {0.05}}\n", name, "s = Multiply-1(",
      name, "p, ", name, "t) {}\n", name, " = Multiply-1(", name, "f, ", name,
      "s) {}\n");
}

std::string QuantizedLstm(const std::string& direction) {
  const int directions = direction == "bidirectional" ? 2 : 1;
  const std::string state = absl::StrCat("[2,", directions, ",40]");
  return absl::StrCat(
      "%x = Parameter-0() {shape: [2,?,50], element_type: f32}\n"
      "%h = Parameter-0() {shape: ", state, ", element_type: f32}\n"
      "%c = Parameter-0() {shape: ", state, ", element_type: f32}\n"
      "%n = Constant-0() {value: i32[2] {7, 4}}\n",
      WeightsOfCodes("%w", absl::StrCat(directions, ",160,50"), 160, directions),
      WeightsOfCodes("%u", absl::StrCat(directions, ",160,40"), 160, directions),
      Weights("%b", absl::StrCat(directions, ",160")),
      "%y = LSTMSequence-5(%x, %h, %c, %n, %w, %u, %b) {hidden_size: 40, "
      "direction: ", direction, "}  # sequence\n", Results("%y", 3));
}

TEST(RecurrentTest, KeepsWeightsThatWereIntegers) {
  for (const std::string direction : {"forward", "reverse", "bidirectional"}) {
    const int64_t directions = direction == "bidirectional" ? 2 : 1;
    const Network network(QuantizedLstm(direction));
    const auto request = network.NewRequest();
    ASSERT_NE(request, nullptr);
    const Shape states = {2, directions, 40};
    EXPECT_EQ(network.Check(*request,
                            network.Inputs({{2, 7, 50}, states, states}),
                            kTolerance),
              "");
    const Executable& executable = *network.executable();
    const Node* const node = executable.runtime_model()->FindNode("sequence");
    ASSERT_NE(node, nullptr);
    // With pairs of 16 bits it is a matter of speed.
    if (HasNarrowProducts(NarrowForm::kCodes24)) {
      EXPECT_EQ(executable.execution_info(*node).kernel, "recurrent_int8");
    }
  }
}

TEST(RecurrentTest, LeavesOtherFunctionsToTheReference) {
  const std::string model = absl::StrCat(
      Parameter("%x", "2,3"), Parameter("%h", "2,4"), Weights("%w", "4,3"),
      Weights("%u", "4,4"), Weights("%b", "4"),
      "%y = RNNCell-0(%x, %h, %w, %u, %b) {hidden_size: 4, "
      "activations: [\"relu\"]}\n%r = Result-0(%y) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_TRUE(absl::StartsWith(compared.KernelOf("RNNCell"), "reference"));
}

}  // namespace
}  // namespace dovetail::cpu
