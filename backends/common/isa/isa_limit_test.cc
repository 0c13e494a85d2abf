#include "dovetail/backends/common/isa/isa_limit.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

Isa Limit(const char* own, const char* onednn = nullptr) {
  const auto limit = IsaLimitOf(own, onednn);
  EXPECT_TRUE(limit.ok()) << limit.status();
  return limit.value_or(Isa::kNone);
}

TEST(IsaLimitTest, NothingLimitsNothing) {
  EXPECT_EQ(Limit(nullptr), Isa::kAll);
  EXPECT_EQ(Limit(""), Isa::kAll);
  EXPECT_EQ(Limit("DEFAULT"), Isa::kAll);
}

TEST(IsaLimitTest, EachLevelHasItsName) {
  for (int i = static_cast<int>(Isa::kAvx2); i <= static_cast<int>(Isa::kAll);
       ++i) {
    const Isa isa = static_cast<Isa>(i);
    EXPECT_EQ(Limit(std::string(IsaName(isa)).c_str()), isa) << IsaName(isa);
  }
  EXPECT_EQ(Limit("avx512_bf16"), Isa::kAvx512Bf16);
}

TEST(IsaLimitTest, AnUnknownValueIsAnErrorThatSaysWhatIsRight) {
  const auto limit = IsaLimitOf("AVX1024", nullptr);
  ASSERT_EQ(limit.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(limit.status().message(),
                                "DOVETAIL_MAX_CPU_ISA is 'AVX1024'"));
  EXPECT_TRUE(absl::StrContains(limit.status().message(), "AVX512_VNNI"));
}

TEST(IsaLimitTest, WhatIsForbiddenToOneDnnIsForbiddenToAll) {
  EXPECT_EQ(Limit(nullptr, "AVX2"), Isa::kAvx2);
  EXPECT_EQ(Limit(nullptr, "avx512_core_vnni"), Isa::kAvx512Vnni);
  EXPECT_EQ(Limit(nullptr, "SSE41"), Isa::kNone);
  EXPECT_EQ(Limit(nullptr, "AVX"), Isa::kNone);
  EXPECT_EQ(Limit(nullptr, "AVX10_1_512"), Isa::kAvx512Fp16);
  EXPECT_EQ(Limit(nullptr, "DEFAULT"), Isa::kAll);
  EXPECT_EQ(Limit(nullptr, "nonsense"), Isa::kAll);
}

TEST(IsaLimitTest, OfTwoLimitsBothHold) {
  EXPECT_EQ(Limit("AVX512_BF16", "AVX2"), Isa::kAvx2);
  EXPECT_EQ(Limit("AVX2", "AVX512_CORE_BF16"), Isa::kAvx2);
  // Dot products of 256 bits are no part of AVX-512.
  EXPECT_EQ(Limit("AVX2_VNNI", "AVX512_CORE"), Isa::kAvx2);
}

TEST(IsaLimitTest, LevelsIncludeThoseBefore) {
  EXPECT_TRUE(Includes(Isa::kAvx512Amx, Isa::kAvx512Bf16));
  EXPECT_TRUE(Includes(Isa::kAvx2, Isa::kAvx2));
  EXPECT_FALSE(Includes(Isa::kAvx512, Isa::kAvx512Vnni));
  EXPECT_FALSE(Includes(Isa::kAvx512Bf16, Isa::kAvx2Vnni));
  EXPECT_FALSE(Includes(Isa::kNone, Isa::kAvx2));
}

}  // namespace
}  // namespace dovetail
