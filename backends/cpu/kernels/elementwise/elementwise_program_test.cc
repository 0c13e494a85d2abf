// Programs of several instructions, on all kinds of memory.
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/backends/cpu/kernels/elementwise/run_elementwise.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Builder = ElementwiseProgram::Builder;
using Dims = std::vector<int64_t>;

ElementwiseProgram Built(Builder builder) {
  auto program = std::move(builder).Build();
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : ElementwiseProgram();
}

std::vector<ElementwiseOp> Ops(const ElementwiseProgram& program) {
  std::vector<ElementwiseOp> ops;
  for (const auto& instruction : program.instructions()) {
    ops.push_back(instruction.op);
  }
  return ops;
}

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

// The elements in the order of the sweep.
std::vector<float> Gather(const std::vector<float>& memory, const Dims& dims,
                          const ElementwiseStrides& strides) {
  std::vector<float> elements(Product(dims));
  for (int64_t i = 0; i < static_cast<int64_t>(elements.size()); ++i) {
    int64_t rest = i, offset = 0;
    for (size_t k = dims.size(); k-- > 0; rest /= dims[k]) {
      offset += rest % dims[k] * strides[k];
    }
    elements[i] = memory[offset];
  }
  return elements;
}

std::vector<float> Counting(int64_t count) {
  std::vector<float> numbers(count);
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>(i % 509) - 200;
  }
  return numbers;
}

// a + 2 * b of inputs with these strides, with all tiles at once and in two
// parts.
void ExpectSum(const Dims& dims, const ElementwiseStrides& a_strides,
               const ElementwiseStrides& b_strides) {
  Builder builder;
  const int a = builder.AddInput(ElementType::kF32);
  const int b = builder.AddInput(ElementType::kF32);
  const int twice =
      builder.Op(ElementwiseOp::kMultiply, {b, builder.Constant(2)});
  builder.Output(builder.Op(ElementwiseOp::kSubtract, {twice, a}),
                 ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  const auto geometry =
      MakeGeometry(program, dims, std::vector{a_strides, b_strides});
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  ASSERT_EQ(geometry->element_count, Product(dims));

  const auto memory_of = [&dims](const ElementwiseStrides& strides) {
    int64_t last = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      last += (dims[i] - 1) * strides[i];
    }
    return Counting(last + 1);
  };
  const std::vector<float> a_memory = memory_of(a_strides);
  const std::vector<float> b_memory = memory_of(b_strides);
  const std::vector<float> a_elements = Gather(a_memory, dims, a_strides);
  const std::vector<float> b_elements = Gather(b_memory, dims, b_strides);
  std::vector<float> got(Product(dims) + 1, -1e9f);
  const void* const inputs[] = {a_memory.data(), b_memory.data()};
  void* const outputs[] = {got.data()};
  const int64_t middle = geometry->tile_count / 2;
  RunElementwise(program, *geometry, inputs, outputs, middle,
                 geometry->tile_count);
  RunElementwise(program, *geometry, inputs, outputs, 0, middle);
  for (size_t i = 0; i < a_elements.size(); ++i) {
    ASSERT_EQ(got[i], 2 * b_elements[i] - a_elements[i]) << "element " << i;
  }
  EXPECT_EQ(got.back(), -1e9f) << "wrote behind the end";
}

TEST(ElementwiseTest, DenseOfAnyLength) {
  for (const int64_t count :
       {1, 7, 8, 15, 16, 17, 1000, 1023, 1024, 1025, 5000}) {
    ExpectSum({count}, {1}, {1});
  }
}

TEST(ElementwiseTest, OneNumberForAll) {
  ExpectSum({3, 1000}, {1000, 1}, {0, 0});
  ExpectSum({2000}, {0}, {0});
}

TEST(ElementwiseTest, NumberPerRow) {
  for (const int64_t length : {1, 2, 5, 49, 64, 600, 1024, 3136, 5003}) {
    ExpectSum({5, length}, {length, 1}, {1, 0});
  }
}

TEST(ElementwiseTest, SameRowAgainAndAgain) {
  for (const int64_t length : {1, 3, 8, 51, 64, 96, 1000, 2052}) {
    ExpectSum({301, length}, {length, 1}, {0, 1});
  }
}

TEST(ElementwiseTest, NumberPerBlockedChannel) {
  // {N, C / 8, H * W, 8} with constants {1, C / 8, 1, 8}.
  for (const int64_t area : {1, 9, 49, 200, 784}) {
    ExpectSum({2, 4, area, 8}, {32 * area, 8 * area, 8, 1}, {0, 8, 0, 1});
    ExpectSum({2, 4, area, 8}, {32 * area, 8 * area, 8, 1}, {32, 8, 0, 1});
  }
}

TEST(ElementwiseTest, StridesThatDoNotMerge) {
  ExpectSum({4, 5, 6, 7}, {210, 42, 7, 1}, {0, 7, 0, 1});
  ExpectSum({4, 5, 6, 7}, {0, 6, 1, 0}, {1, 0, 4, 0});
  ExpectSum({40, 50}, {50, 1}, {1, 40});
  ExpectSum({2, 3, 2, 3, 2, 3}, {108, 36, 18, 6, 3, 1}, {0, 9, 0, 3, 0, 1});
  ExpectSum({30, 5, 7}, {70, 14, 2}, {0, 0, 3});
}

TEST(ElementwiseTest, RandomGeometries) {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    const int rank = 1 + random() % 5;
    Dims dims(rank);
    for (int64_t& dim : dims) dim = 1 + random() % (round % 3 == 0 ? 40 : 9);
    std::vector<ElementwiseStrides> strides;
    for (int i = 0; i < 2; ++i) {
      Dims shape = dims;
      for (int64_t& extent : shape) {
        if (random() % 2) extent = 1;
      }
      const auto broadcast = BroadcastStrides(shape, dims);
      ASSERT_TRUE(broadcast.ok()) << broadcast.status();
      strides.push_back(*broadcast);
    }
    ExpectSum(dims, strides[0], strides[1]);
  }
}

TEST(ElementwiseTest, NoElements) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  builder.Output(x, ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  const Dims dims = {3, 0};
  const auto geometry =
      MakeGeometry(program, dims, std::vector<ElementwiseStrides>{{0, 1}});
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  EXPECT_EQ(geometry->tile_count, 0);
}

TEST(ElementwiseTest, WritesToTheMemoryOfItsInput) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  const int half =
      builder.Op(ElementwiseOp::kMultiply, {x, builder.Constant(0.5f)});
  builder.Output(half, ElementType::kF32);
  // Needs x after the first output is known.
  builder.Output(builder.Op(ElementwiseOp::kSubtract, {x, half}),
                 ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  std::vector<float> memory = Counting(3000), second(3000);
  const std::vector<float> before = memory;
  const auto geometry =
      MakeGeometry(program, {3000}, std::vector<ElementwiseStrides>{{1}});
  ASSERT_TRUE(geometry.ok());
  const void* const inputs[] = {memory.data()};
  void* const outputs[] = {memory.data(), second.data()};
  RunElementwise(program, *geometry, inputs, outputs, 0, geometry->tile_count);
  for (size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(memory[i], before[i] / 2);
    ASSERT_EQ(second[i], before[i] / 2);
  }
}

TEST(ElementwiseTest, OutputsWithStrides) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  builder.Output(builder.Op(ElementwiseOp::kNegative, {x}), ElementType::kF32);
  builder.Output(x, ElementType::kI32);
  const ElementwiseProgram program = Built(std::move(builder));
  const std::vector<float> memory = Counting(60 * 50);
  std::vector<float> padded(60 * 53, 7);
  std::vector<int32_t> turned(50 * 60);
  const auto geometry =
      MakeGeometry(program, {60, 50}, std::vector<ElementwiseStrides>{{50, 1}},
                   std::vector<ElementwiseStrides>{{53, 1}, {1, 60}});
  ASSERT_TRUE(geometry.ok()) << geometry.status();
  const void* const inputs[] = {memory.data()};
  void* const outputs[] = {padded.data(), turned.data()};
  RunElementwise(program, *geometry, inputs, outputs, 0, geometry->tile_count);
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < 53; ++k) {
      ASSERT_EQ(padded[i * 53 + k], k < 50 ? -memory[i * 50 + k] : 7);
      if (k < 50) {
        ASSERT_EQ(turned[k * 60 + i], memory[i * 50 + k]);
      }
    }
  }
}

// Any bytes as a type, copied to any type: what the scalar rules of Convert
// make of them.
TEST(ElementwiseTest, EveryTypeInAndOut) {
  const std::vector<ElementType> types = {
      ElementType::kBoolean, ElementType::kBf16, ElementType::kF16,
      ElementType::kF32,     ElementType::kF64,  ElementType::kI8,
      ElementType::kI16,     ElementType::kI32,  ElementType::kI64,
      ElementType::kU8,      ElementType::kU16,  ElementType::kU32,
      ElementType::kU64};
  constexpr int64_t kCount = 1061;
  std::vector<float> values = Counting(kCount);
  for (size_t i = 0; i < values.size(); i += 3) values[i] *= 0.37f;
  for (size_t i = 0; i < values.size(); i += 7) values[i] *= 1e9f;
  values[5] = std::numeric_limits<float>::quiet_NaN();
  values[11] = std::numeric_limits<float>::infinity();
  values[12] = 65520;
  for (const ElementType from : types) {
    std::vector<char> in(kCount * 8), out(kCount * 8), want(kCount * 8);
    StoreStridedFloats(from, values.data(), in.data(), 1, kCount);
    std::vector<float> floats(kCount);
    LoadStridedFloats(from, in.data(), 1, floats.data(), kCount);
    for (const ElementType to : types) {
      Builder builder;
      builder.Output(builder.AddInput(from), to);
      const ElementwiseProgram program = Built(std::move(builder));
      const auto geometry =
          MakeGeometry(program, {kCount}, std::vector<ElementwiseStrides>{{1}});
      ASSERT_TRUE(geometry.ok());
      const void* const inputs[] = {in.data()};
      void* const outputs[] = {out.data()};
      RunElementwise(program, *geometry, inputs, outputs, 0,
                     geometry->tile_count);
      StoreStridedFloats(to, floats.data(), want.data(), 1, kCount);
      std::vector<float> got_floats(kCount), want_floats(kCount);
      LoadStridedFloats(to, out.data(), 1, got_floats.data(), kCount);
      LoadStridedFloats(to, want.data(), 1, want_floats.data(), kCount);
      for (int64_t i = 0; i < kCount; ++i) {
        const bool both_nan =
            std::isnan(got_floats[i]) && std::isnan(want_floats[i]);
        ASSERT_TRUE(got_floats[i] == want_floats[i] || both_nan)
            << ElementTypeName(from) << " to " << ElementTypeName(to) << ": "
            << floats[i] << " became " << got_floats[i] << ", not "
            << want_floats[i];
      }
    }
  }
}

TEST(BuilderTest, JoinsMultiplyAndAdd) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  const int y = builder.AddInput(ElementType::kF32);
  const int product = builder.Op(ElementwiseOp::kMultiply, {x, y});
  builder.Output(builder.Op(ElementwiseOp::kAdd, {x, product}),
                 ElementType::kF32);
  EXPECT_EQ(Ops(Built(std::move(builder))),
            std::vector{ElementwiseOp::kMultiplyAdd});
}

TEST(BuilderTest, KeepsAProductThatIsNeededTwice) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  const int product = builder.Op(ElementwiseOp::kMultiply, {x, x});
  builder.Output(builder.Op(ElementwiseOp::kAdd, {product, product}),
                 ElementType::kF32);
  EXPECT_EQ(Ops(Built(std::move(builder))),
            (std::vector{ElementwiseOp::kMultiply, ElementwiseOp::kAdd}));
}

TEST(BuilderTest, JoinsWhatDequantizes) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kU8);
  const int shifted =
      builder.Op(ElementwiseOp::kSubtract, {x, builder.Constant(3)});
  builder.Output(
      builder.Op(ElementwiseOp::kMultiply, {shifted, builder.Constant(0.5f)}),
      ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  ASSERT_EQ(Ops(program), std::vector{ElementwiseOp::kMultiplyAdd});
  const auto& shift = program.instructions()[0].operands[2];
  ASSERT_TRUE(shift.is_constant);
  EXPECT_EQ(program.constants()[shift.index].lanes[0], -1.5f);
}

TEST(BuilderTest, QuantizesWithoutAReluBelowItsRange) {
  for (const float low : {0.0f, -1.0f}) {
    Builder builder;
    const int x = builder.AddInput(ElementType::kF32);
    const int ends[] = {builder.Constant(low), builder.Constant(2)};
    builder.Output(builder.Op(ElementwiseOp::kFakeQuantize,
                              {builder.Op(ElementwiseOp::kRelu, {x}), ends[0],
                               ends[1], ends[0], ends[1]},
                              {256.0f}),
                   ElementType::kF32);
    EXPECT_EQ(Ops(Built(std::move(builder))).size(), low < 0 ? 2 : 1) << low;
  }
}

TEST(BuilderTest, JoinsSwish) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  const int scaled =
      builder.Op(ElementwiseOp::kMultiply, {builder.Constant(1.702f), x});
  const int gate = builder.Op(ElementwiseOp::kSigmoid, {scaled});
  builder.Output(builder.Op(ElementwiseOp::kMultiply, {gate, x}),
                 ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  ASSERT_EQ(Ops(program), std::vector{ElementwiseOp::kSwish});
  EXPECT_EQ(program.instructions()[0].parameters[0], 1.702f);
}

TEST(BuilderTest, PowersOfKnownExponents) {
  const std::pair<float, ElementwiseOp> cases[] = {
      {2.0f, ElementwiseOp::kSquare},
      {3.0f, ElementwiseOp::kCube},
      {0.5f, ElementwiseOp::kSqrt},
      {-0.5f, ElementwiseOp::kReciprocalSqrt},
      {2.5f, ElementwiseOp::kPower}};
  for (const auto& [exponent, op] : cases) {
    Builder builder;
    const int x = builder.AddInput(ElementType::kF32);
    builder.Output(
        builder.Op(ElementwiseOp::kPower, {x, builder.Constant(exponent)}),
        ElementType::kF32);
    EXPECT_EQ(Ops(Built(std::move(builder))), std::vector{op});
  }
}

TEST(BuilderTest, ReusesRegistersAndLeavesOutWhatNobodyNeeds) {
  Builder builder;
  int x = builder.AddInput(ElementType::kF32);
  builder.Op(ElementwiseOp::kExp, {x});
  for (int i = 0; i < 100; ++i) x = builder.Op(ElementwiseOp::kAbs, {x});
  builder.Output(x, ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  EXPECT_EQ(program.instructions().size(), 100u);
  EXPECT_EQ(program.register_count(), 2);
}

TEST(BuilderTest, RefusesMoreValuesThanRegisters) {
  Builder builder;
  const int x = builder.AddInput(ElementType::kF32);
  std::vector<int> values;
  for (int i = 0; i < 30; ++i) {
    values.push_back(builder.Op(ElementwiseOp::kExp, {x}));
  }
  int sum = values[0];
  for (const int value : values) {
    sum = builder.Op(ElementwiseOp::kAdd, {sum, value});
  }
  builder.Output(sum, ElementType::kF32);
  EXPECT_EQ(std::move(builder).Build().status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(BuilderTest, ReportsMistakes) {
  Builder of_count;
  const int x = of_count.AddInput(ElementType::kF32);
  of_count.Output(of_count.Op(ElementwiseOp::kAdd, {x}), ElementType::kF32);
  EXPECT_EQ(std::move(of_count).Build().status().message(),
            "Add of 1 operands and 0 parameters: it has 2 and 0");
  Builder of_value;
  of_value.Output(of_value.Op(ElementwiseOp::kAbs, {3}), ElementType::kF32);
  EXPECT_FALSE(std::move(of_value).Build().ok());
  Builder of_type;
  of_type.Output(of_type.AddInput(ElementType::kString), ElementType::kF32);
  EXPECT_FALSE(std::move(of_type).Build().ok());
}

TEST(GeometryTest, ReportsMistakes) {
  Builder builder;
  builder.Output(builder.AddInput(ElementType::kF32), ElementType::kF32);
  const ElementwiseProgram program = Built(std::move(builder));
  const std::vector<ElementwiseStrides> one = {{1}};
  EXPECT_FALSE(MakeGeometry(program, {2, 3}, one).ok());
  EXPECT_FALSE(MakeGeometry(program, {-2}, one).ok());
  EXPECT_FALSE(MakeGeometry(program, {2}, {}).ok());
  const int64_t many = int64_t{1} << 40;
  const std::vector<ElementwiseStrides> two = {{many, 1}};
  EXPECT_FALSE(MakeGeometry(program, {many, many}, two).ok());
  EXPECT_FALSE(BroadcastStrides({2, 3}, {3}).ok());
  EXPECT_FALSE(BroadcastStrides({2}, {3}).ok());
}

}  // namespace
}  // namespace dovetail::cpu
