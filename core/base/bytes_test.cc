#include "dovetail/core/base/bytes.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(BytesTest, WhatIsWrittenIsRead) {
  ByteWriter writer;
  writer.Byte(200);
  writer.Number(std::numeric_limits<uint64_t>::max() - 1);
  writer.Signed(-3);
  writer.Real(-0.0);
  writer.Text(std::string("a\0b", 3));
  writer.Text("");
  const std::string bytes = writer.Take();

  ByteReader reader(bytes);
  EXPECT_EQ(*reader.Byte(), 200);
  EXPECT_EQ(*reader.Number(), std::numeric_limits<uint64_t>::max() - 1);
  EXPECT_EQ(*reader.Signed(), -3);
  EXPECT_TRUE(std::signbit(*reader.Real()));
  EXPECT_EQ(*reader.Text(), std::string("a\0b", 3));
  EXPECT_EQ(*reader.Text(), "");
  EXPECT_TRUE(reader.Finish().ok());
}

TEST(BytesTest, NumbersAreWrittenLowestByteFirst) {
  ByteWriter writer;
  writer.Number(0x0201);
  EXPECT_EQ(writer.bytes(), std::string("\x01\x02\0\0\0\0\0\0", 8));
}

TEST(BytesTest, SaysWhenBytesLack) {
  constexpr auto kDataLoss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(ByteReader("").Byte().status().code(), kDataLoss);
  EXPECT_EQ(ByteReader("1234567").Number().status().code(), kDataLoss);
  EXPECT_EQ(ByteReader("1234567").Signed().status().code(), kDataLoss);
  EXPECT_EQ(ByteReader("1234567").Real().status().code(), kDataLoss);

  ByteWriter writer;
  writer.Number(3);  // a length, and a count, with only two bytes behind it
  writer.Raw("ab");
  EXPECT_EQ(ByteReader(writer.bytes()).Text().status().code(), kDataLoss);
  EXPECT_EQ(ByteReader(writer.bytes()).Count().status().code(), kDataLoss);
  EXPECT_EQ(ByteReader("x").Finish().code(), kDataLoss);
}

TEST(BytesTest, CountsAreBoundedByWhatFollows) {
  ByteWriter writer;
  writer.Number(2);
  writer.Raw("0123456789");
  EXPECT_EQ(*ByteReader(writer.bytes()).Count(5), 2u);
  EXPECT_FALSE(ByteReader(writer.bytes()).Count(6).ok());
}

}  // namespace
}  // namespace dovetail
