#include "dovetail/backends/cpu/onednn/stable_text.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using dnnl::memory;

memory::desc Plain() {
  return memory::desc({64, 32, 3, 3}, memory::data_type::f32,
                      memory::format_tag::oihw);
}

// Where another version of oneDNN has another size, stable_text.cc has to learn
// anew which bytes of it count.
TEST(StableTextTest, KnowsOneDnnsForm) {
  EXPECT_EQ(Plain().get_blob().size(), 768u);
}

TEST(StableTextTest, HoldsNothingThatIsChance) {
  std::vector<uint8_t> blob = Plain().get_blob();
  for (size_t padding : {0, 108, 316, 640 + 20}) {
    for (size_t i = 0; i < 4; ++i) blob[padding + i] = 0xAB;
  }
  EXPECT_EQ(StableText(memory::desc(blob)), StableText(Plain()));
  blob[640 + 12] = 1;  // of the number by which integers are scaled
  EXPECT_NE(StableText(memory::desc(blob)), StableText(Plain()));
}

TEST(StableTextTest, TellsDescriptionsApart) {
  const std::string plain = StableText(Plain());
  EXPECT_NE(StableText(memory::desc({32, 64, 3, 3}, memory::data_type::f32,
                                    memory::format_tag::oihw)),
            plain);
  EXPECT_NE(StableText(memory::desc({64, 32, 3, 3}, memory::data_type::bf16,
                                    memory::format_tag::oihw)),
            plain);
  EXPECT_NE(StableText(memory::desc({64, 32, 3, 3}, memory::data_type::f32,
                                    memory::format_tag::ohwi)),
            plain);
  EXPECT_NE(StableText(memory::desc({64, 32, 3, 3}, memory::data_type::f32,
                                    memory::format_tag::OIhw8i8o)),
            plain);
  EXPECT_NE(StableText(memory::desc({64, 32, 3, 3}, memory::data_type::f32,
                                    memory::format_tag::OIhw8i8o)),
            StableText(memory::desc({64, 32, 3, 3}, memory::data_type::f32,
                                    memory::format_tag::OIhw8o8i)));
}

}  // namespace
}  // namespace dovetail::cpu
