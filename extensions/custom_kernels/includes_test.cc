#include "dovetail/extensions/custom_kernels/includes.h"

#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/extensions/custom_kernels/source_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Files = std::map<std::string, std::string>;

absl::StatusOr<CustomSource> Inlined(const std::string& name,
                                     const Files& files,
                                     bool leaves_missing = false) {
  CustomSource source = {name, files.at(name), {}};
  const absl::Status status =
      IncludeInliner(SourcesGiven(files), leaves_missing).Inline(source);
  if (!status.ok()) return status;
  return source;
}

std::string TextOf(const std::string& name, const Files& files) {
  const auto source = Inlined(name, files);
  return source.ok() ? source->text : source.status().ToString();
}

std::string MessageOf(const std::string& name, const Files& files) {
  const auto source = Inlined(name, files);
  EXPECT_EQ(source.status().code() == absl::StatusCode::kNotFound ||
                source.status().code() == absl::StatusCode::kInvalidArgument,
            true)
      << source.status();
  return std::string(source.status().message());
}

TEST(IncludesTest, FilesStandInTheirPlaceWithTheirLines) {
  const auto source = Inlined("a.cl", {{"a.cl",
                                        "first\n"
                                        " # include  \"b.h\"  // why\n"
                                        "third\n"},
                                       {"b.h", "b1\nb2"}});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->text,
            "first\n"
            "#line 1 \"b.h\"\n"
            "b1\n"
            "b2\n"
            "#line 2 \"a.cl\"\n"
            "  // why\n"
            "third\n");
  EXPECT_THAT(source->includes, ElementsAre("b.h"));
}

TEST(IncludesTest, WhatIncludesNothingStaysAsItIs) {
  for (const char* text :
       {"", "\n", "a\r\nb", "#include <b.h>\n", "// #include \"b.h\"\n",
        "/* a\n#include \"b.h\"\n*/\n", "#define F \"/*\" // /*\n",
        "#include \"b.h\n"}) {
    EXPECT_EQ(TextOf("a.cl", {{"a.cl", text}}), text);
  }
  EXPECT_THAT(TextOf("a.cl", {{"a.cl",
                               "char c = '\"', *s = \"\\\"/*\";  // /*\n"
                               "/* */ /* a\n*/\n#include \"b.h\"\n"},
                              {"b.h", "inside"}}),
              HasSubstr("inside"));
}

TEST(IncludesTest, FilesLieBesideTheIncludingOneOrTheConfiguration) {
  const auto source =
      Inlined("sub/a.cl",
              {{"sub/a.cl", "#include \"near.h\"\n#include \"../up.h\"\n"},
               {"sub/near.h", "#include \"far.h\"\n#include \"deep/d.h\"\n"},
               {"near.h", "wrong"},
               {"far.h", "far"},
               {"sub/deep/d.h", "deep"},
               {"up.h", "up"}});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_THAT(source->text, AllOf(HasSubstr("#line 1 \"sub/near.h\"\n"),
                                  HasSubstr("#line 1 \"far.h\"\nfar\n"),
                                  HasSubstr("#line 1 \"sub/deep/d.h\"\ndeep"),
                                  HasSubstr("#line 1 \"up.h\"\nup\n")));
  EXPECT_FALSE(absl::StrContains(source->text, "wrong"));
  // sub/far.h would count if it were there.
  EXPECT_THAT(source->includes, ElementsAre("sub/near.h", "sub/far.h", "far.h",
                                            "sub/deep/d.h", "up.h"));
}

TEST(IncludesTest, PragmaOnceCountsForAllSources) {
  const Files files = {{"a.cl", "#include \"b.h\"\n#include \"c.h\"\n"},
                       {"b.h", "#include \"c.h\"\n"},
                       {"c.h", "#pragma once\nint c;\n"}};
  IncludeInliner includes(SourcesGiven(files), false);
  CustomSource first = {"a.cl", files.at("a.cl"), {}};
  CustomSource second = first;
  ASSERT_TRUE(includes.Inline(first).ok());
  ASSERT_TRUE(includes.Inline(second).ok());
  EXPECT_EQ(first.text, second.text);
  EXPECT_THAT(first.text, HasSubstr("#ifndef DOVETAIL_ONCE_0\n"
                                    "#define DOVETAIL_ONCE_0\n"
                                    "#line 1 \"c.h\"\n\nint c;\n\n#endif\n"));
  EXPECT_FALSE(absl::StrContains(first.text, "pragma"));
}

TEST(IncludesTest, ErrorsNameFileAndLine) {
  EXPECT_THAT(MessageOf("sub/a.cl", {{"sub/a.cl", "\n#include \"b.h\"\n"},
                                     {"b.h", "\n\n#include \"no.h\"\n"}}),
              AllOf(HasSubstr("b.h:3: #include \"no.h\""),
                    HasSubstr("no file 'no.h'")));
  EXPECT_THAT(MessageOf("sub/a.cl", {{"sub/a.cl", "\n#include \"no.h\"\n"}}),
              AllOf(HasSubstr("sub/a.cl:2"),
                    HasSubstr("neither a file 'sub/no.h' nor 'no.h'")));
  EXPECT_THAT(MessageOf("./a.cl", {{"./a.cl", "#include \"b.h\"\n"},
                                   {"b.h", "\n#include \"c.h\"\n"},
                                   {"c.h", "#include \"a.cl\"\n"},
                                   {"a.cl", "#include \"b.h\"\n"}}),
              AllOf(HasSubstr("c.h:1: #include \"a.cl\""),
                    HasSubstr("itself: ./a.cl, b.h, c.h, a.cl")));
}

TEST(IncludesTest, TextsHaveAnEnd) {
  Files doubling, chain;
  for (int i = 0; i < 100; ++i) {
    const std::string next = absl::StrCat("#include \"", i + 1, ".h\"\n");
    doubling[absl::StrCat(i, ".h")] = next + next;
  }
  for (int i = 0; i < 300; ++i) {
    chain[absl::StrCat(i, ".h")] = absl::StrCat("#include \"", i + 1, ".h\"\n");
  }
  doubling["100.h"] = chain["300.h"] = "";
  EXPECT_THAT(MessageOf("0.h", doubling), HasSubstr("is longer than"));
  EXPECT_THAT(MessageOf("0.h", chain), HasSubstr("more than 200 deep"));
}

TEST(IncludesTest, WhatIsMissingMayBeLeftToTheDriver) {
  const auto source =
      Inlined("a.cl", {{"a.cl", "#include \"no.h\"\nrest"}}, true);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->text, "#include \"no.h\"\nrest");
}

TEST(IncludesTest, NamesInLineDirectivesAreQuoted) {
  EXPECT_EQ(LineDirective(3, "a\"b\\c"), "#line 3 \"a\\\"b\\\\c\"\n");
}

}  // namespace
}  // namespace dovetail
