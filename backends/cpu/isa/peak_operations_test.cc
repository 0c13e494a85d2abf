#include "dovetail/backends/cpu/isa/peak_operations.h"

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

TEST(PeakOperationsTest, AreOfTheInstructionsThatMayBeUsed) {
  EXPECT_EQ(PeakOperations(Isa::kAvx2, 1, 1), "FP32:32");
  EXPECT_EQ(PeakOperations(Isa::kAvx2Vnni, 1, 1), "FP32:32 INT8:128");
  EXPECT_EQ(PeakOperations(Isa::kAvx512, 1, 1), "FP32:64");
  EXPECT_EQ(PeakOperations(Isa::kAvx512Vnni, 1, 1), "FP32:64 INT8:256");
  EXPECT_EQ(PeakOperations(Isa::kAvx512Bf16, 1, 1),
            "FP32:64 BF16:128 INT8:256");
  EXPECT_EQ(PeakOperations(Isa::kAvx512Amx, 1, 1),
            "FP32:64 BF16:1024 INT8:2048");
}

TEST(PeakOperationsTest, GrowWithCoresAndClock) {
  EXPECT_EQ(PeakOperations(Isa::kAvx2, 4, 2.5), "FP32:320");
  EXPECT_EQ(PeakOperations(Isa::kAvx512Vnni, 2, 2.3), "FP32:294.4 INT8:1177.6");
}

}  // namespace
}  // namespace dovetail::cpu
