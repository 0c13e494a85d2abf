#include "dovetail/backends/cpu/isa/machine_model.h"

#include "dovetail/backends/cpu/onednn/isa.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

TEST(MachineModelTest, HasNumbersForTheInstructionsInUse) {
  const MachineModel& machine = ThisMachine();
  const Isa isa = UsableIsa();
  EXPECT_EQ(machine.f32_8 > 0, Includes(isa, Isa::kAvx2));
  EXPECT_EQ(machine.f32_16 > 0, HasAvx512());
  EXPECT_EQ(machine.bf16 > 0, HasBf16());
  EXPECT_EQ(machine.int8 > 0, HasDotProducts());
  EXPECT_GT(machine.l1.bytes, 0);
  EXPECT_GE(machine.l2.bytes, machine.l1.bytes);
  EXPECT_GE(machine.l3.bytes, machine.l2.bytes);
  for (const double bytes_a_ns :
       {machine.l1.bytes_a_ns, machine.l2.bytes_a_ns, machine.l3.bytes_a_ns,
        machine.memory_bytes_a_ns, machine.rows_bytes_a_ns,
        machine.asked_rows_bytes_a_ns}) {
    EXPECT_GT(bytes_a_ns, 0);
  }
  EXPECT_GT(machine.wake_ns, 0);
}

TEST(MachineModelTest, IsMeasuredOnce) {
  EXPECT_EQ(&ThisMachine(), &ThisMachine());
  EXPECT_EQ(DescribeMachine(ThisMachine()), DescribeMachine(ThisMachine()));
}

TEST(MachineModelTest, ReadsFromTheCacheThatHoldsTheBytes) {
  MachineModel machine;
  machine.l1 = {1000, 100};
  machine.l2 = {10000, 10};
  machine.l3 = {100000, 5};
  machine.memory_bytes_a_ns = 1;
  EXPECT_EQ(machine.ReadNs(500), 5);
  EXPECT_EQ(machine.ReadNs(2000), 200);
  EXPECT_EQ(machine.ReadNs(50000), 10000);
  EXPECT_EQ(machine.ReadNs(60000), 60000);
}

TEST(MachineModelTest, KnowsItsFastestVectors) {
  MachineModel machine;
  machine.f32_8 = 10;
  EXPECT_EQ(machine.f32(), 10);
  machine.f32_16 = 20;
  EXPECT_EQ(machine.f32(), 20);
  EXPECT_EQ(machine.f32(8), 10);
  EXPECT_EQ(machine.f32(16), 20);
}

}  // namespace
}  // namespace dovetail::cpu
