#include "dovetail/backends/vpu/program/program.h"

#include <random>
#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "dovetail/backends/vpu/program/program_bytes.h"
#include "dovetail/backends/vpu/program/program_text.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

// Tiles, a view, an operation of SHAVEs, names that need quotes.
constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [1,1,224,224], element_type: f16}  # x "of" u8
  %w = Constant-0() {value: f16[16,1,1,3] {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5}}
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv\1 = ä
  %r = Relu-0(%c) {}  # relu
  %s = Sigmoid-0(%r) {}  # sigmoid
  %a = Add-1(%s, %r) {}  # add
  %0 = Result-0(%a) {}  # out
)";

Program Compiled(absl::string_view burst_ns = "41") {
  Machine machine = *DefaultMachine();
  EXPECT_TRUE(SetMachineValue("burst_ns", burst_ns, machine).ok());
  auto program = Program::Compile(machine, ModelOf(kNetwork));
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

void ExpectSame(const Program& got, const Program& want) {
  EXPECT_EQ(MachineDifference(got.machine(), want.machine()), "");
  EXPECT_EQ(got.network(), want.network());
  EXPECT_EQ(got.stages(), want.stages());
  EXPECT_EQ(got.memory(), want.memory());
  EXPECT_EQ(got.cycles(), want.cycles());
}

TEST(ProgramTest, SumsOfLayersAreThoseOfTheirStages) {
  const Program program = Compiled();
  int64_t cycles = 0;
  for (const LayerTime& layer : program.layers()) cycles += layer.cycles;
  EXPECT_EQ(cycles, TotalCycles(program.stages()));
  EXPECT_EQ(cycles, program.cycles());
  EXPECT_EQ(program.KernelName("sigmoid"), "shave_f16");
  EXPECT_EQ(program.Find("nothing"), nullptr);
}

TEST(ProgramTest, BytesAreReadAsTheyWereWritten) {
  const Program program = Compiled("0.1");
  const std::string bytes = ProgramBytes(program);
  const auto read = ReadProgramBytes(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectSame(*read, program);
  EXPECT_EQ(ProgramBytes(*read), bytes);
}

TEST(ProgramTest, TextGivesTheSameBytes) {
  const Program program = Compiled("0.1");
  const std::string text = ProgramText(program);
  EXPECT_TRUE(IsProgramText(text));
  EXPECT_THAT(text, HasSubstr("\nlayer 1 name=\"conv\\\\1 = ä\""));
  const auto read = ParseProgramText(text, "p.txt");
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectSame(*read, program);
  EXPECT_EQ(ProgramBytes(*read), ProgramBytes(program));
  EXPECT_EQ(ProgramText(*read), text);
}

// The message for a text in which one word is another.
std::string ErrorWith(absl::string_view from, absl::string_view to) {
  const std::string text = ProgramText(Compiled());
  const std::string changed = absl::StrReplaceAll(text, {{from, to}});
  EXPECT_NE(text, changed);
  const auto program = ParseProgramText(changed, "p.txt");
  EXPECT_FALSE(program.ok());
  return std::string(program.status().message());
}

TEST(ProgramTest, ErrorsInATextSayWhereAndWhat) {
  EXPECT_THAT(ErrorWith("program 3", "program 7"),
              HasSubstr("p.txt, line 1: the program is of version '7'"));
  EXPECT_THAT(ErrorWith("kind=convolution", "kind=convolve"),
              HasSubstr("kind=convolve, want one of input, convolution"));
  EXPECT_THAT(ErrorWith("kernel_x", "x"), HasSubstr("no field 'x'"));
  EXPECT_THAT(ErrorWith("out_width=", "out_widht="),
              HasSubstr("did you mean 'out_width'?"));
  EXPECT_THAT(ErrorWith("layer 1 ", "layer 2 "),
              HasSubstr("this has to be layer 1"));
  EXPECT_THAT(ErrorWith("inputs=0", "inputs=9"),
              HasSubstr("reads layer 9, which does not come before it"));
  EXPECT_THAT(ErrorWith("stage layer=1", "stage layer=77"),
              HasSubstr("its layer is 77"));
  EXPECT_THAT(ErrorWith("place=DDR", "place=CMX"),
              HasSubstr("and CMX at 1179648"));
  EXPECT_THAT(ErrorWith("lane=SHAVE", "lane=\"SHAVE\""),
              HasSubstr("lane has to stand without quotes"));
  EXPECT_THAT(ErrorWith(" cycles=", " macs=1 macs="),
              HasSubstr("macs is given twice"));
  EXPECT_THAT(ErrorWith(" cycles=", " cycles=-"), HasSubstr("a number of it"));
  EXPECT_THAT(ErrorWith(" shaves=", " shaves=9"),
              HasSubstr("its shaves are 9"));
  EXPECT_THAT(ErrorWith(" cycles=", " cycles=9223372036854775807 bytes="),
              HasSubstr("p.txt"));
  EXPECT_THAT(ErrorWith("machine clock_mhz", "machine clock"),
              HasSubstr("a machine has no 'clock'"));
}

TEST(ProgramTest, AnotherVersionIsRefusedWithBoth) {
  std::string bytes = ProgramBytes(Compiled());
  bytes[8] = 9;
  const auto program = ReadProgramBytes(bytes);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(program.status().message(),
              HasSubstr("of version 9 of the format, and this is version 3"));
  EXPECT_EQ(ReadProgramBytes("something").status().code(),
            absl::StatusCode::kInvalidArgument);
}

// A few bytes or letters of `whole` are others, or its end is missing.
std::string Damaged(std::string whole, std::mt19937& random) {
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < changes; ++i) {
    whole[random() % whole.size()] = static_cast<char>(random());
  }
  if (random() % 4 == 0) whole.resize(random() % whole.size());
  return whole;
}

TEST(ProgramTest, DamagedBytesAreRefusedOrThemselves) {
  const std::string bytes = ProgramBytes(Compiled());
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string damaged = Damaged(bytes, random);
    const auto program = ReadProgramBytes(damaged);
    if (program.ok()) {
      EXPECT_EQ(ProgramBytes(*program), damaged);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(ProgramTest, DamagedTextsAreRefusedOrPrograms) {
  const std::string text = ProgramText(Compiled());
  std::mt19937 random(8);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto program = ParseProgramText(Damaged(text, random), "p.txt");
    if (program.ok()) {
      EXPECT_TRUE(ReadProgramBytes(ProgramBytes(*program)).ok());
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace dovetail::vpu
