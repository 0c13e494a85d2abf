#include "dovetail/backends/common/compiler/weights/packing.h"

#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/backends/common/compiler/weights/packed_weights.h"
#include "dovetail/backends/common/compiler/weights/shared_weights.h"
#include "dovetail/core/tensor/memory/allocator.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/testing/counting_allocator.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int kElements = 64;
constexpr int kParts = 4;

Tensor Constant(double first) {
  std::vector<double> values(kElements);
  for (int i = 0; i < kElements; ++i) values[i] = first + i;
  return Tensor::FromDoubles(ElementType::kF32, {kElements}, values).value();
}

// Each number twice, a quarter of them a part.
absl::Status Double(absl::Span<const Tensor> constants, void* packed,
                    int part) {
  const float* const from = constants[0].data<float>();
  for (int i = part * kElements / kParts; i < (part + 1) * kElements / kParts;
       ++i) {
    static_cast<float*>(packed)[i] = 2 * from[i];
  }
  return absl::OkStatus();
}

std::shared_ptr<PackedWeights> Get(SharedWeights& weights,
                                   const Tensor& constant,
                                   const std::string& form = "doubled") {
  return weights.Get({form, constant}, constant.byte_size()).value();
}

absl::Status RunAll(Packing& packing) {
  absl::Status status;
  for (int part = 0; part < kParts; ++part) status.Update(packing.Run(part));
  return status;
}

void ExpectDoubled(const PackedWeights& packed, const Tensor& constant) {
  ASSERT_TRUE(packed.is_filled());
  for (int i = 0; i < kElements; ++i) {
    EXPECT_EQ(static_cast<const float*>(packed.data())[i],
              2 * constant.data<float>()[i]);
  }
}

TEST(SharedWeightsTest, OneEntryForOneMemoryAndForm) {
  SharedWeights weights;
  const Tensor constant = Constant(0);
  const auto first = Get(weights, constant);
  EXPECT_EQ(Get(weights, constant), first);
  EXPECT_NE(Get(weights, constant, "another"), first);
  EXPECT_NE(Get(weights, constant.Clone().value()), first);
  EXPECT_NE(Get(weights, constant.Reshape({8, 8}).value()), first);
}

TEST(SharedWeightsTest, AnEntryGoesWithTheLastWhoKeepsIt) {
  SharedWeights weights;
  const Tensor constant = Constant(0);
  std::weak_ptr<PackedWeights> first = Get(weights, constant);
  EXPECT_TRUE(first.expired());
  // Addresses of what has gone may be those of other constants.
  for (int i = 0; i < 1000; ++i) {
    const Tensor other = Constant(i);
    const auto packed = Get(weights, other);
    EXPECT_FALSE(packed->is_filled());
    Packing packing(packed, {other}, &Double, kParts);
    ASSERT_TRUE(RunAll(packing).ok());
    ExpectDoubled(*packed, other);
  }
}

TEST(SharedWeightsTest, ConstantsStayAsLongAsTheEntry) {
  SharedWeights weights;
  auto constant = std::make_unique<Tensor>(Constant(1));
  const auto packed = Get(weights, *constant);
  const void* const address = constant->address();
  constant.reset();
  for (int i = 0; i < 100; ++i) EXPECT_NE(Constant(i).address(), address);
}

TEST(SharedWeightsTest, EachAllocatorHasEntriesOfItsOwn) {
  SharedWeights weights;
  const Tensor constant = Constant(0);
  const auto of_process = Get(weights, constant);
  const AllocatorScope scope(std::make_shared<CountingAllocator>());
  EXPECT_NE(Get(weights, constant), of_process);
}

// ---- Who packs ----

// Each thread makes pages of one part of the memory and writes elsewhere.
TEST(PackingTest, ThreadsMakePagesWhereOthersWrite) {
  constexpr int64_t kMany = 4 << 20;
  const auto pack = [](absl::Span<const Tensor>, void* packed, int part) {
    for (int64_t i = part; i < kMany; i += kParts) {
      static_cast<int32_t*>(packed)[i] = static_cast<int32_t>(i);
    }
    return absl::OkStatus();
  };
  SharedWeights weights;
  const Tensor constant = Constant(0);
  const auto packed = weights.Get({"many", constant}, kMany * 4).value();
  Packing packing(packed, {constant}, pack, kParts);
  std::vector<std::thread> threads;
  for (int part = 0; part < kParts; ++part) {
    threads.emplace_back([&, part] { EXPECT_TRUE(packing.Run(part).ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(packed->is_filled());
  const auto* const numbers = static_cast<const int32_t*>(packed->data());
  for (int64_t i = 0; i < kMany; ++i) ASSERT_EQ(numbers[i], i);
}

TEST(PackingTest, WhoTakesAnyAddressGetsNoCopy) {
  std::vector<char> bytes(sizeof(float) + 1);
  const Tensor constant =
      Tensor::ShareUnaligned(ElementType::kF32, {1}, bytes.data() + 1,
                             sizeof(float), nullptr)
          .value();
  for (const Alignment alignment : {Alignment::kOfType, Alignment::kAny}) {
    const auto pack = [&](absl::Span<const Tensor> constants, void*, int) {
      EXPECT_EQ(constants[0].address() == constant.address(),
                alignment == Alignment::kAny);
      return absl::OkStatus();
    };
    SharedWeights weights;
    Packing packing(Get(weights, constant), {constant}, pack, kParts,
                    alignment);
    EXPECT_TRUE(RunAll(packing).ok());
  }
}

TEST(PackingTest, OnePlanPacksForAll) {
  SharedWeights weights;
  const Tensor constant = Constant(3);
  const auto kept = Get(weights, constant);
  std::atomic<int> calls = 0;
  const PackFn pack = [&](absl::Span<const Tensor> constants, void* packed,
                          int part) {
    ++calls;
    return Double(constants, packed, part);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto packed = Get(weights, constant);
      Packing packing(packed, {constant}, pack, kParts);
      EXPECT_TRUE(RunAll(packing).ok());
      EXPECT_TRUE(packing.Finish().ok());
      ExpectDoubled(*packed, constant);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, kParts);
}

TEST(PackingTest, OneThatFailsLeavesItToAnother) {
  SharedWeights weights;
  const Tensor constant = Constant(5);
  const auto packed = Get(weights, constant);
  const PackFn fail = [](absl::Span<const Tensor>, void*,
                         int part) -> absl::Status {
    if (part == 1) throw std::bad_alloc();
    return absl::OkStatus();
  };
  Packing failing(packed, {constant}, fail, kParts);
  Packing other(packed, {constant}, &Double, kParts);
  EXPECT_TRUE(failing.Run(0).ok());
  EXPECT_TRUE(RunAll(other).ok());
  EXPECT_FALSE(packed->is_filled());
  std::thread waiting([&] { EXPECT_TRUE(other.Finish().ok()); });
  EXPECT_TRUE(absl::IsResourceExhausted(failing.Run(1)));
  EXPECT_TRUE(failing.Run(2).ok());
  EXPECT_TRUE(failing.Run(3).ok());
  waiting.join();
  ExpectDoubled(*packed, constant);
}

}  // namespace
}  // namespace dovetail
