#include "dovetail/core/tensor/memory/allocator.h"

#include <memory>
#include <new>
#include <string>
#include <thread>

#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/testing/counting_allocator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

TEST(AllocatorTest, TensorsOfAScopeHaveItsMemory) {
  const auto own = std::make_shared<CountingAllocator>();
  {
    const Tensor before = Tensor::Allocate(ElementType::kF32, {4}).value();
    const AllocatorScope scope(own);
    const Tensor within = Tensor::Allocate(ElementType::kF32, {4}).value();
    const Tensor copy = before.Clone().value();
    EXPECT_FALSE(own->Has(before.raw_data()));
    EXPECT_TRUE(own->Has(within.raw_data()));
    EXPECT_TRUE(own->Has(copy.raw_data()));
    EXPECT_EQ(ToDoubleVector(within), std::vector<double>(4, 0));
    EXPECT_EQ(own->bytes(), 32);
  }
  EXPECT_EQ(own->live(), 0);
  EXPECT_EQ(own->wrong_frees(), 0);
}

TEST(AllocatorTest, ScopesNestAndAreOfAThread) {
  const auto outer = std::make_shared<CountingAllocator>();
  const auto inner = std::make_shared<CountingAllocator>();
  EXPECT_EQ(CurrentAllocator(), nullptr);
  const AllocatorScope scope(outer);
  {
    const AllocatorScope of_inner(inner);
    EXPECT_EQ(CurrentAllocator(), inner);
    const AllocatorScope of_process(nullptr);
    EXPECT_EQ(CurrentAllocator(), nullptr);
  }
  EXPECT_EQ(CurrentAllocator(), outer);
  std::thread([] { EXPECT_EQ(CurrentAllocator(), nullptr); }).join();
}

TEST(AllocatorTest, LargeTensorsBeginAtAPage) {
  const auto own = std::make_shared<CountingAllocator>();
  const AllocatorScope scope(own);
  const Tensor small = Tensor::Allocate(ElementType::kU8, {1}).value();
  const Tensor large =
      Tensor::AllocateUninitialized(ElementType::kU8, {1 << 16}).value();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(small.raw_data()) % 64, 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large.raw_data()) % 4096, 0);
}

TEST(AllocatorTest, StringsAndNoElementsTakeItToo) {
  const auto own = std::make_shared<CountingAllocator>();
  {
    const AllocatorScope scope(own);
    const Tensor strings = Tensor::Allocate(ElementType::kString, {3}).value();
    strings.mutable_data<std::string>()[2] = std::string(100, 'x');
    EXPECT_EQ(strings.data<std::string>()[1], "");
    EXPECT_TRUE(own->Has(strings.raw_data()));
    const Tensor empty = Tensor::Allocate(ElementType::kF32, {0}).value();
    EXPECT_NE(empty.raw_data(), nullptr);
    EXPECT_EQ(own->live(), 2);
  }
  EXPECT_EQ(own->live(), 0);
}

TEST(AllocatorTest, ATensorKeepsItAndMayEndAnywhere) {
  auto own = std::make_shared<CountingAllocator>();
  const std::weak_ptr<CountingAllocator> watched = own;
  std::thread([own = std::move(own), &watched] {
    Tensor tensor;
    {
      const AllocatorScope scope(own);
      tensor = Tensor::Allocate(ElementType::kF32, {4}).value();
    }
    std::thread([tensor = std::move(tensor)] {}).join();
    EXPECT_FALSE(watched.expired());
  }).join();
  EXPECT_TRUE(watched.expired());
}

TEST(AllocatorTest, NoMemoryIsAnError) {
  const auto own = std::make_shared<CountingAllocator>();
  own->set_most(100);
  const AllocatorScope scope(own);
  EXPECT_TRUE(Tensor::Allocate(ElementType::kU8, {100}).ok());
  const absl::Status none =
      Tensor::Allocate(ElementType::kU8, {101}).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(none.message()),
              HasSubstr("the application's allocator gave none"));
  // Not even asked for.
  EXPECT_EQ(Tensor::Allocate(ElementType::kU8, {int64_t{1} << 50})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

struct Thrower final : Allocator {
  void* Allocate(size_t, size_t alignment) override {
    if (alignment == 64) throw std::bad_alloc();
    throw 7;
  }
  void Free(void*, size_t, size_t) override { FAIL() << "nothing was given"; }
};

TEST(AllocatorTest, WhatItThrowsIsAnError) {
  const AllocatorScope scope(std::make_shared<Thrower>());
  for (const int64_t bytes : {1, 1 << 20}) {
    EXPECT_EQ(Tensor::Allocate(ElementType::kU8, {bytes}).status().code(),
              absl::StatusCode::kResourceExhausted);
  }
}

// Gives what is one byte off.
struct Crooked final : Allocator {
  void* Allocate(size_t bytes, size_t) override {
    ++given;
    return static_cast<char*>(std::malloc(bytes + 1)) + 1;
  }
  void Free(void* memory, size_t, size_t) override {
    --given;
    std::free(static_cast<char*>(memory) - 1);
  }
  int given = 0;
};

TEST(AllocatorTest, WhatIsNotAlignedIsAnError) {
  const auto own = std::make_shared<Crooked>();
  const AllocatorScope scope(own);
  const absl::Status status = Tensor::Allocate(ElementType::kU8, {10}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("asked for 10 bytes at a multiple of 64"));
  EXPECT_EQ(own->given, 0);
}

}  // namespace
}  // namespace dovetail
