#include "dovetail/backends/vpu/custom/source/counted_source.h"

#include <algorithm>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

TEST(CountedSourceTest, LoopsAndFunctionsCount) {
  // An access, a product, a sum; the loop's comparison, increment and access.
  EXPECT_EQ(CountedSource("void f(int* p, int n) {\n"
                          "  int a = p[0] * 2 + 1;\n"
                          "  for (int i = n - 1; i >= 0; i--) p[i] = 0;\n}"),
            "void f(int* p, int n) { dovetail_go(4);\n"
            "  int a = p[0] * 2 + 1;\n"
            "  for (int i = n - 1; dovetail_go(3) && ( i >= 0); i--) p[i] = "
            "0;\n}");
}

TEST(CountedSourceTest, EachLoopCountsItsOwn) {
  EXPECT_EQ(CountedSource("void f() { while (1) { a++; do { b += c * d; } "
                          "while (b < 9); } }"),
            "void f() { dovetail_go(0); while ( dovetail_go(1) && (1)) { a++; "
            "do { b += c * d; } while ( dovetail_go(3) && (b < 9)); } }");
  EXPECT_EQ(CountedSource("void f() { for (;;) for (;;) x++; }"),
            "void f() { dovetail_go(0); for (; dovetail_go(0);) for (; "
            "dovetail_go(1);) x++; }");
  EXPECT_EQ(CountedSource("void f() { for (;;) if (a > b) c++; else d--; e++; "
                          "}"),
            "void f() { dovetail_go(1); for (; dovetail_go(3);) if (a > b) "
            "c++; else d--; e++; }");
}

TEST(CountedSourceTest, CallsAndMacrosCount) {
  // Another function counts by itself, an identity is free, exp is one.
  EXPECT_EQ(CountedSource("#define TWICE(x) ((x) * 2)\n"
                          "int g(int x) { return x; }\n"
                          "void f() { a = g(1); b = get_global_id(0); "
                          "c = exp(TWICE(1e-9f)); }"),
            "#define TWICE(x) ((x) * 2)\n"
            "int g(int x) { dovetail_go(0); return x; }\n"
            "void f() { dovetail_go(2); a = g(1); b = get_global_id(0); "
            "c = exp(TWICE(1e-9f)); }");
}

TEST(CountedSourceTest, LoopsOfMacrosAndJumpsEnd) {
  EXPECT_EQ(CountedSource("#define LOOP for (int i = 0; i < 4; ++i) \\\n"
                          "  x[i] = 0;\n"),
            "#define LOOP for (int i = 0; dovetail_go(3) && ( i < 4); ++i) \\\n"
            "  x[i] = 0;\n");
  EXPECT_EQ(CountedSource("void f() { a: x++; if (x < 4) goto a; }"),
            "void f() { dovetail_go(2); a: x++; if (x < 4) { if "
            "(dovetail_go(1)) goto a; } }");
}

TEST(CountedSourceTest, WhatIsNoCodeStays) {
  EXPECT_EQ(CountedSource("constant int t[] = {1, 2}; // for (;;)\n"
                          "struct A { int x; };\n"),
            "constant int t[] = {1, 2};            \n"
            "struct A { int x; };\n");
}

// Whatever the text, there is an answer, and lines stay where they are.
TEST(CountedSourceTest, AnyTextHasItsLines) {
  const std::string pieces[] = {
      "for (", "while (", "do ",   "{",      "}",  "(",          ")",
      ";",     "if (",    "else ", "goto a", "\n", "#define A ", "\\\n",
      "\"",    "'",       "/*",    "*/",     "//", "a[i]++",     "void f() {"};
  std::mt19937 random(5);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (int k = static_cast<int>(random() % 40); k >= 0; --k) {
      text += pieces[random() % std::size(pieces)];
    }
    const std::string counted = CountedSource(text);
    ASSERT_EQ(std::count(counted.begin(), counted.end(), '\n'),
              std::count(text.begin(), text.end(), '\n'))
        << text;
  }
  EXPECT_FALSE(CountedSource(std::string(100000, '{')).empty());
  std::string loops;
  for (int i = 0; i < 2000; ++i) loops += "for (;;) ";
  EXPECT_FALSE(CountedSource("void f() {" + loops + "}").empty());
}

}  // namespace
}  // namespace dovetail::vpu
