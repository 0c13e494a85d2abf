#include "dovetail/core/tensor/tensor.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

bool IsAligned(const void* data, size_t alignment) {
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

Tensor Iota(const Shape& shape) {
  std::vector<int32_t> values(shape.Count());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  return *Tensor::FromValues<int32_t>(shape, values);
}

TEST(PackedStrides, AreRowMajor) {
  EXPECT_EQ(*PackedStrides(ElementType::kF32, {2, 3, 4}), (Strides{48, 16, 4}));
  EXPECT_EQ(*PackedStrides(ElementType::kU8, {}), Strides());
  EXPECT_EQ(*PackedStrides(ElementType::kU4, {2, 3}), Strides());
  EXPECT_EQ(PackedStrides(ElementType::kF32, {0, kHuge, kHuge})->size(), 3u);
  EXPECT_FALSE(PackedStrides(ElementType::kF32, {kHuge, 2}).ok());
  EXPECT_FALSE(PackedStrides(ElementType::kF32, {kHuge}).ok());
  EXPECT_FALSE(PackedStrides(ElementType::kF32, {-1}).ok());
  EXPECT_FALSE(PackedStrides(ElementType::kDynamic, {1}).ok());
}

TEST(Tensor, TheDefaultIsNoTensor) {
  const Tensor none;
  EXPECT_FALSE(none.has_data());
  EXPECT_EQ(none.type(), ElementType::kDynamic);
  EXPECT_EQ(none.shape(), Shape({0}));
  EXPECT_EQ(none.raw_data(), nullptr);
  EXPECT_EQ(none.element_count(), 0);
  EXPECT_FALSE(none.Roi({0}, {0}).ok());
  EXPECT_FALSE(none.Reshape({0}).ok());
  EXPECT_FALSE(none.Clone()->has_data());
  EXPECT_TRUE(none.Equals(Tensor()));
  EXPECT_EQ(none.ToString(), "dynamic[0] {}");
}

TEST(Tensor, AllocatesEveryTypeZeroedAndAligned) {
  for (ElementType type : AllElementTypes()) {
    const auto tensor = Tensor::Allocate(type, {3, 5});
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(tensor->type(), type);
    EXPECT_EQ(tensor->shape(), Shape({3, 5}));
    EXPECT_EQ(tensor->element_count(), 15);
    EXPECT_EQ(tensor->byte_size(), *ByteSize(type, 15));
    EXPECT_TRUE(tensor->is_contiguous());
    EXPECT_FALSE(tensor->is_read_only());
    EXPECT_TRUE(IsAligned(tensor->raw_data(), Tensor::kAlignment)) << type;
    if (type == ElementType::kString) continue;
    const auto* bytes = static_cast<const char*>(tensor->raw_data());
    EXPECT_EQ(std::string(bytes, tensor->byte_size()),
              std::string(tensor->byte_size(), '\0'));
  }
}

TEST(Tensor, AScalarAndAnEmptyTensorHaveAnAddress) {
  for (ElementType type : AllElementTypes()) {
    for (const Shape& shape : {Shape(), Shape({0}), Shape({2, 0, int64_t{1} << 40})}) {
      const auto tensor = Tensor::Allocate(type, shape);
      ASSERT_TRUE(tensor.ok()) << tensor.status();
      EXPECT_NE(tensor->raw_data(), nullptr);
      EXPECT_TRUE(tensor->has_data());
      EXPECT_TRUE(tensor->is_contiguous());
      EXPECT_EQ(tensor->element_count(), shape.empty() ? 1 : 0);
    }
  }
}

TEST(Tensor, RefusesSizesThatMakeNoSense) {
  using absl::StatusCode;
  const auto code = [](ElementType type, const Shape& shape) {
    EXPECT_EQ(Tensor::AllocateUninitialized(type, shape).status().code(),
              Tensor::Allocate(type, shape).status().code());
    return Tensor::Allocate(type, shape).status().code();
  };
  EXPECT_EQ(code(ElementType::kF32, {-1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(ElementType::kF32, {kHuge, 3}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(ElementType::kF32, {kHuge}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(ElementType::kDynamic, {1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(ElementType::kU8, {kHuge}), StatusCode::kResourceExhausted);
  EXPECT_EQ(code(ElementType::kF32, {kHuge / 4}),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(code(ElementType::kString, {kHuge / 64}),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(code(ElementType::kF32, {kHuge, 0, 2}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code(ElementType::kF32, {0, 1000, 1000}), StatusCode::kOk);
}

TEST(Tensor, StringsAreObjects) {
  auto tensor = Tensor::AllocateUninitialized(ElementType::kString, {2, 2});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  // Too long for the object itself, so that a leak would be seen.
  const std::string text(100, 'x');
  for (std::string& element : tensor->mutable_span<std::string>()) {
    EXPECT_EQ(element, "");
    element = text;
  }
  const Tensor view = *tensor;
  *tensor = Tensor();
  EXPECT_EQ(view.data<std::string>()[3], text);
}

TEST(Tensor, ACopyIsAViewOfTheSameMemory) {
  const Tensor tensor = Iota({4});
  const Tensor view = tensor;
  view.mutable_data<int32_t>()[1] = 9;
  EXPECT_EQ(tensor.data<int32_t>()[1], 9);
}

TEST(Tensor, FromValues) {
  const auto tensor = Tensor::FromValues<float>({2, 2}, {1, 2, 3, 4});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->type(), ElementType::kF32);
  EXPECT_EQ(tensor->span<float>()[3], 4.0f);
  EXPECT_EQ(Tensor::FromValues<float>({2, 2}, {1, 2, 3}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Tensor::FromValues<bool>({2}, {true, false})->type(),
            ElementType::kBoolean);
  const std::vector<std::string> words = {"a", "b"};
  EXPECT_EQ(Tensor::FromValues<std::string>({2}, words)->data<std::string>()[1],
            "b");
}

TEST(Borrow, SeesTheCallersMemory) {
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const auto tensor =
      Tensor::Borrow(ElementType::kF32, {2, 3}, values.data(), 24);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->raw_data(), values.data());
  tensor->mutable_data<float>()[5] = 9;
  EXPECT_EQ(values[5], 9);
  EXPECT_FALSE(tensor->is_read_only());
}

TEST(Borrow, ChecksSizeAlignmentAndNull) {
  alignas(8) char bytes[64];
  const auto code = [&](ElementType type, const Shape& shape, void* data,
                        int64_t size) {
    return Tensor::Borrow(type, shape, data, size).status().code();
  };
  constexpr auto kBad = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code(ElementType::kF32, {6}, bytes, 24), absl::StatusCode::kOk);
  EXPECT_EQ(code(ElementType::kF32, {6}, bytes, 23), kBad);
  EXPECT_EQ(code(ElementType::kF32, {6}, bytes, -1), kBad);
  EXPECT_EQ(code(ElementType::kF32, {6}, nullptr, 24), kBad);
  EXPECT_EQ(code(ElementType::kF32, {0}, nullptr, 0), absl::StatusCode::kOk);
  EXPECT_EQ(code(ElementType::kF32, {kHuge, 2}, bytes, kHuge), kBad);
  EXPECT_EQ(code(ElementType::kU3, {9}, bytes, 5), kBad);
  EXPECT_EQ(code(ElementType::kDynamic, {1}, bytes, 64), kBad);
  for (ElementType type : AllElementTypes()) {
    if (type == ElementType::kString) continue;
    const bool any_address = BitWidth(type) <= 8;
    EXPECT_EQ(code(type, {2}, bytes + 1, 63),
              any_address ? absl::StatusCode::kOk : kBad)
        << type;
  }
}

TEST(Borrow, WithStrides) {
  std::vector<int32_t> values(12);
  for (int i = 0; i < 12; ++i) values[i] = i;
  // Columns 0 and 2 of a matrix of 3 rows and 4 columns.
  const auto tensor = Tensor::Borrow(ElementType::kI32, {3, 2}, values.data(),
                                     48, Strides{16, 8});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_FALSE(tensor->is_contiguous());
  EXPECT_EQ(tensor->byte_size(), 24);
  EXPECT_EQ(ToInt64Vector(*tensor), (std::vector<int64_t>{0, 2, 4, 6, 8, 10}));
}

TEST(Borrow, ChecksStrides) {
  alignas(8) char bytes[64];
  const auto status = [&](ElementType type, const Shape& shape,
                          const Strides& strides) {
    return Tensor::Borrow(type, shape, bytes, 64, strides).status();
  };
  EXPECT_TRUE(status(ElementType::kF32, {2, 8}, {32, 4}).ok());
  EXPECT_TRUE(status(ElementType::kF32, {2, 7}, {36, 4}).ok());
  EXPECT_TRUE(status(ElementType::kF32, {8, 2}, {4, 32}).ok());
  EXPECT_TRUE(status(ElementType::kF32, {0, 9}, {4096, 4}).ok());
  for (const Strides& strides :
       {Strides{36, 4}, Strides{32}, Strides{32, 4, 4}, Strides{32, 0},
        Strides{32, -4}, Strides{30, 4}, Strides{kHuge - 3, 4}}) {
    EXPECT_EQ(status(ElementType::kF32, {2, 8}, strides).code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(status(ElementType::kF32, {kHuge / 8, 1}, {8, 4}).ok());
  EXPECT_FALSE(status(ElementType::kU4, {4}, {1}).ok());
  EXPECT_FALSE(status(ElementType::kString, {1}, {32}).ok());
}

TEST(Borrow, PackedStridesAreContiguous) {
  std::vector<float> values(6);
  const auto contiguous = [&](const Shape& shape, Strides strides) {
    return Tensor::Borrow(ElementType::kF32, shape, values.data(), 24,
                          std::move(strides))
        ->is_contiguous();
  };
  EXPECT_TRUE(contiguous({2, 3}, {12, 4}));
  EXPECT_TRUE(contiguous({1, 6}, {400, 4}));  // nobody steps along that axis
  EXPECT_FALSE(contiguous({3, 2}, {4, 12}));
}

TEST(Share, KeepsTheOwnerAndIsReadOnly) {
  auto owner = std::make_shared<std::vector<float>>(4, 2.5f);
  const std::weak_ptr<std::vector<float>> watch = owner;
  auto tensor =
      Tensor::Share(ElementType::kF32, {4}, owner->data(), 16, owner);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->raw_data(), owner->data());
  EXPECT_TRUE(tensor->is_read_only());
  owner.reset();
  auto view = tensor->Roi({1}, {3});
  *tensor = Tensor();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(view->data<float>()[0], 2.5f);
  EXPECT_TRUE(view->is_read_only());
  *view = Tensor();
  EXPECT_TRUE(watch.expired());
}

TEST(Share, CopiesWhatIsNotAligned) {
  alignas(8) char bytes[17] = {};
  const float values[] = {1, 2, 3, 4};
  std::memcpy(bytes + 1, values, sizeof(values));
  const auto tensor =
      Tensor::Share(ElementType::kF32, {4}, bytes + 1, 16, nullptr);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_TRUE(tensor->is_read_only());
  EXPECT_TRUE(IsAligned(tensor->raw_data(), Tensor::kAlignment));
  EXPECT_EQ(tensor->span<float>()[3], 4.0f);
  EXPECT_FALSE(Tensor::Share(ElementType::kString, {1}, bytes + 1, 64, nullptr)
                   .ok());
  EXPECT_FALSE(
      Tensor::Share(ElementType::kF32, {4}, bytes, 15, nullptr).ok());
}

TEST(Roi, IsAViewOfABox) {
  const Tensor tensor = Iota({4, 5});
  const auto box = tensor.Roi({1, 2}, {3, 5});
  ASSERT_TRUE(box.ok()) << box.status();
  EXPECT_EQ(box->shape(), Shape({2, 3}));
  EXPECT_EQ(box->byte_size(), 24);
  EXPECT_FALSE(box->is_contiguous());
  EXPECT_EQ(ToInt64Vector(*box), (std::vector<int64_t>{7, 8, 9, 12, 13, 14}));
  box->SetElement(5, 99);
  EXPECT_EQ(tensor.ElementAsInt64(14), 99);
}

TEST(Roi, ABoxOfABox) {
  const Tensor tensor = Iota({3, 4, 5});
  const auto outer = tensor.Roi({1, 1, 1}, {3, 4, 5});
  ASSERT_TRUE(outer.ok()) << outer.status();
  const auto inner = outer->Roi({1, 1, 1}, {2, 3, 3});
  ASSERT_TRUE(inner.ok()) << inner.status();
  EXPECT_EQ(ToInt64Vector(*inner), (std::vector<int64_t>{52, 53, 57, 58}));
}

TEST(Roi, WholeRowsAreContiguous) {
  const Tensor tensor = Iota({4, 5});
  EXPECT_TRUE(tensor.Roi({1, 0}, {3, 5})->is_contiguous());
  EXPECT_TRUE(tensor.Roi({1, 2}, {2, 4})->is_contiguous());
  EXPECT_EQ(tensor.Roi({1, 0}, {3, 5})->data<int32_t>()[0], 5);
}

TEST(Roi, OfNothing) {
  const Tensor tensor = Iota({4, 5});
  const auto box = tensor.Roi({4, 5}, {4, 5});
  ASSERT_TRUE(box.ok()) << box.status();
  EXPECT_EQ(box->element_count(), 0);
  EXPECT_NE(box->raw_data(), nullptr);
  EXPECT_TRUE(box->Clone().ok());
}

TEST(Roi, RefusesWhatIsNotInside) {
  const Tensor tensor = Iota({4, 5});
  for (const auto& [begin, end] : std::vector<std::pair<Shape, Shape>>{
           {{0, 0}, {5, 5}},
           {{-1, 0}, {4, 5}},
           {{2, 0}, {1, 5}},
           {{0}, {4}},
           {{0, 0, 0}, {4, 5, 1}},
           {{0, 0}, {4}}}) {
    EXPECT_EQ(tensor.Roi(begin, end).status().code(),
              absl::StatusCode::kOutOfRange);
  }
  EXPECT_EQ(Tensor::Allocate(ElementType::kU4, {4})
                ->Roi({0}, {2})
                .status()
                .code(),
            absl::StatusCode::kUnimplemented);
}

TEST(Roi, OfStringsSideBySide) {
  const std::vector<std::string> words = {"a", "b", "c", "d"};
  const Tensor tensor = *Tensor::FromValues<std::string>({2, 2}, words);
  EXPECT_EQ(tensor.Roi({1, 0}, {2, 2})->data<std::string>()[0], "c");
  EXPECT_EQ(tensor.Roi({0, 0}, {2, 1}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(Permuted, IsAViewWithItsAxesInAnotherOrder) {
  const Tensor tensor = Iota({2, 3, 4});
  const auto view = tensor.Permuted({2, 0, 1});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->shape(), Shape({4, 2, 3}));
  EXPECT_EQ(view->raw_data(), tensor.raw_data());
  EXPECT_FALSE(view->is_contiguous());
  EXPECT_EQ(view->ElementAsInt64(0 * 6 + 1 * 3 + 2), 20);   // [1,2,0]
  EXPECT_EQ(view->Clone()->data<int32_t>()[3 * 6 + 1], 7);  // [0,1,3]
  const auto back = view->Permuted({1, 2, 0});
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(back->is_contiguous());
  EXPECT_TRUE(back->Equals(tensor));
}

TEST(Permuted, AxesOfOneElementAndNoElementsAreContiguous) {
  EXPECT_TRUE(Iota({1, 3, 4}).Permuted({1, 0, 2})->is_contiguous());
  EXPECT_TRUE(Iota({2, 0, 4}).Permuted({1, 0, 2})->is_contiguous());
  EXPECT_TRUE(Iota({}).Permuted({})->is_contiguous());
}

TEST(Permuted, RefusesWhatIsNoPermutation) {
  const Tensor tensor = Iota({2, 3});
  for (const std::vector<int>& order : std::vector<std::vector<int>>{
           {}, {0}, {0, 0}, {1, 2}, {-1, 0}, {0, 1, 2}, {0, 1, 1}}) {
    EXPECT_EQ(tensor.Permuted(order).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(Tensor().Permuted({}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  for (const ElementType type : {ElementType::kU4, ElementType::kString}) {
    EXPECT_EQ(Tensor::Allocate(type, {2, 2})->Permuted({1, 0}).status().code(),
              absl::StatusCode::kUnimplemented);
  }
}

TEST(Reshape, KeepsTheMemory) {
  const Tensor tensor = Iota({2, 6});
  const auto other = tensor.Reshape({3, 4});
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->raw_data(), tensor.raw_data());
  EXPECT_EQ(other->strides(), (Strides{16, 4}));
  EXPECT_EQ(tensor.Reshape({5}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(tensor.Reshape({-12}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(tensor.Roi({0, 0}, {2, 3})->Reshape({6}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Tensor::Allocate(ElementType::kU4, {4})->Reshape({2, 2}).ok());
}

// ---- Memory that is not aligned ----

struct Bytes {
  explicit Bytes(size_t size) : bytes(size + 64) {}
  // An address that is a multiple of no type's size.
  char* odd() {
    const auto address = reinterpret_cast<uintptr_t>(bytes.data());
    return bytes.data() + 64 - address % 64 + 1;
  }
  std::vector<char> bytes;
};

// f32[4] {0, 1, 2, 3} at an odd address, which the tensor keeps.
Tensor Unaligned(std::weak_ptr<Bytes>* alive = nullptr) {
  const auto memory = std::make_shared<Bytes>(64);
  for (int i = 0; i < 4; ++i) {
    const float value = static_cast<float>(i);
    std::memcpy(memory->odd() + 4 * i, &value, sizeof(value));
  }
  if (alive != nullptr) *alive = memory;
  auto tensor = Tensor::ShareUnaligned(ElementType::kF32, {4}, memory->odd(),
                                       16, memory);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return *std::move(tensor);
}

TEST(UnalignedTensor, IsCopiedOnceAndOnlyForItsElements) {
  std::weak_ptr<Bytes> alive;
  const Tensor tensor = Unaligned(&alive);
  ASSERT_FALSE(alive.expired());
  EXPECT_FALSE(tensor.is_aligned());
  EXPECT_TRUE(tensor.is_read_only());
  EXPECT_EQ(tensor.address(), alive.lock()->odd());
  const Tensor copy = tensor;
  const Tensor reshaped = *tensor.Reshape({2, 2});
  EXPECT_EQ(reshaped.address(), tensor.address());
  const void* const aligned = tensor.raw_data();
  EXPECT_NE(aligned, tensor.address());
  EXPECT_TRUE(IsAligned(aligned, Tensor::kAlignment));
  EXPECT_EQ(tensor.raw_data(), aligned);
  EXPECT_EQ(copy.raw_data(), aligned);
  EXPECT_EQ(reshaped.raw_data(), aligned);
  EXPECT_EQ(copy.data<float>()[3], 3.0f);
}

TEST(UnalignedTensor, HasTheElementsOfAnyOther) {
  const Tensor tensor = Unaligned();
  const Tensor same = *Tensor::FromValues<float>({4}, {0, 1, 2, 3});
  EXPECT_TRUE(tensor.Equals(same));
  EXPECT_TRUE(same.Equals(tensor));
  EXPECT_TRUE(tensor.Clone()->Equals(same));
  EXPECT_EQ(tensor.ElementAsDouble(2), 2.0);
  const Tensor part = *tensor.Roi({1}, {3});
  EXPECT_TRUE(part.Equals(*Tensor::FromValues<float>({2}, {1, 2})));
  EXPECT_TRUE(part.is_aligned());
}

TEST(UnalignedTensor, AnAlignedCopyCanBeForAWhile) {
  const Tensor tensor = Unaligned();
  const void* first;
  {
    const auto aligned = tensor.Aligned();
    ASSERT_TRUE(aligned.ok()) << aligned.status();
    EXPECT_TRUE(aligned->is_aligned());
    EXPECT_TRUE(aligned->is_read_only());
    EXPECT_TRUE(aligned->Equals(tensor));
    first = aligned->raw_data();
    // What is kept is another.
    EXPECT_NE(tensor.raw_data(), first);
  }
  const Tensor plain = Iota({2});
  EXPECT_EQ(plain.Aligned()->raw_data(), plain.raw_data());
}

TEST(UnalignedTensor, IsNoneWhereTheBytesLieRight) {
  auto memory = std::make_shared<Bytes>(64);
  char* const right = memory->odd() + 63;
  const auto tensor =
      Tensor::ShareUnaligned(ElementType::kF32, {2}, right, 8, memory);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_TRUE(tensor->is_aligned());
  EXPECT_EQ(tensor->raw_data(), right);
  EXPECT_FALSE(Tensor::ShareUnaligned(ElementType::kF32, {2}, memory->odd(), 7,
                                      memory)
                   .ok());
  const auto empty = Tensor::ShareUnaligned(ElementType::kF32, {0},
                                            memory->odd(), 0, memory);
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_TRUE(empty->is_aligned());
  EXPECT_NE(empty->raw_data(), nullptr);
}

TEST(UnalignedTensor, ManyThreadsGetOneCopy) {
  const Tensor tensor = Unaligned();
  std::vector<const void*> seen(8);
  std::vector<std::thread> threads;
  for (const void*& one : seen) {
    threads.emplace_back([&one, tensor] { one = tensor.raw_data(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const void* one : seen) EXPECT_EQ(one, tensor.raw_data());
}

}  // namespace
}  // namespace dovetail
