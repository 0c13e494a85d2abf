// An inference of HETERO allocates nothing that its parts do not: with one part
// on the CPU, nothing.
#include <atomic>
#include <cstdlib>
#include <new>

#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace {

std::atomic<int> allocations{0};

}  // namespace

void* operator new(size_t bytes) {
  ++allocations;
  void* const block = std::malloc(bytes == 0 ? 1 : bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }

namespace dovetail {
namespace {

// Of some inferences, after a first one.
int AllocationsOf(const Model& model, const std::string& device) {
  Core core;
  const auto compiled = core.Compile(model, device);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest();
  EXPECT_TRUE(request->SetInput("x", ChainInput()).ok());
  EXPECT_TRUE(request->Infer().ok());
  const int before = allocations;
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(request->Infer().ok());
  return allocations - before;
}

TEST(HeteroAllocationsTest, OnePartAllocatesNothing) {
  EXPECT_EQ(AllocationsOf(ChainModel(), "HETERO:CPU"), 0);
}

TEST(HeteroAllocationsTest, PartsAllocateWhatTheirDevicesDo) {
  Model model = ChainModel();
  const int alone = AllocationsOf(model, "REFERENCE");
  model.FindNode("add")->rt_info().Set({"affinity"}, "CPU");
  EXPECT_LE(AllocationsOf(model, "HETERO:REFERENCE,CPU"), alone);
}

}  // namespace
}  // namespace dovetail
