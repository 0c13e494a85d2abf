#include "dovetail/backends/cpu/onednn/parted_reorder.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Desc = dnnl::memory::desc;
using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

std::vector<char> Whole(const Desc& from, const void* source, const Desc& to) {
  std::vector<char> result(to.get_size());
  Reorder(from, source, to, result.data());
  return result;
}

// All parts, the last one first, of a source one byte aside.
std::vector<char> InParts(const PartedReorder& reorder, const Desc& from,
                          const std::vector<float>& source, const Desc& to) {
  std::vector<char> aside(from.get_size() + 1), result(to.get_size());
  std::memcpy(aside.data() + 1, source.data(), from.get_size());
  for (int part = reorder.parts() - 1; part >= 0; --part) {
    reorder.Run(aside.data() + 1, result.data(), part);
  }
  return result;
}

void ExpectSame(const Desc& from, const Desc& to, bool has_parts) {
  std::vector<float> source(from.get_size() / sizeof(float));
  std::iota(source.begin(), source.end(), -1000.0f);
  const PartedReorder reorder(from, to);
  EXPECT_EQ(reorder.parts() > 1, has_parts);
  EXPECT_EQ(InParts(reorder, from, source, to),
            Whole(from, source.data(), to));
}

// Both orders of a matrix, sizes that blocks divide and others, and blocks of
// sizes that divide no power of two.
TEST(PartedReorderTest, WritesWhatTheWholeDoes) {
  for (const auto& [rows, columns] :
       {std::pair<int64_t, int64_t>{640, 1024}, {700, 1000}, {1000, 300}}) {
    const Desc plain({rows, columns}, Type::f32, Tag::ab);
    const Desc turned({rows, columns}, Type::f32, Tag::ba);
    for (const Desc& from : {plain, turned}) {
      for (const Tag tag : {Tag::BA16a64b, Tag::BA16a48b, Tag::AB16b64a}) {
        ExpectSame(from, Desc({rows, columns}, Type::f32, tag), true);
      }
      ExpectSame(from, Desc({rows, columns}, Type::bf16, Tag::BA16a64b2a),
                 true);
    }
    ExpectSame(plain, turned, true);
  }
}

TEST(PartedReorderTest, DividesWindows) {
  for (const Tag tag : {Tag::Acdb48a, Tag::ABcd16b16a, Tag::acdb}) {
    ExpectSame(Desc({200, 96, 3, 3}, Type::f32, Tag::abcd),
               Desc({200, 96, 3, 3}, Type::f32, tag), true);
  }
}

// A few elements, and elements with gaps between them.
TEST(PartedReorderTest, LeavesOthersWhole) {
  const Desc blocked({64, 64}, Type::f32, Tag::BA16a64b);
  ExpectSame(Desc({64, 64}, Type::f32, Tag::ab), blocked, false);
  const Desc large({1024, 1024}, Type::f32, Tag::BA16a64b);
  const Desc gaps({1024, 1024}, Type::f32, dnnl::memory::dims{2048, 1});
  ExpectSame(gaps, large, false);
}

TEST(PartedReorderTest, NoElementsAreOnePart) {
  for (const auto& [rows, columns] :
       {std::pair<int64_t, int64_t>{0, 1}, {0, 64}, {64, 0}}) {
    const PartedReorder reorder(Desc({rows, columns}, Type::f32, Tag::ab),
                                Desc({rows, columns}, Type::f32, Tag::ba));
    EXPECT_EQ(reorder.parts(), 1) << rows << " " << columns;
  }
}

}  // namespace
}  // namespace dovetail::cpu
