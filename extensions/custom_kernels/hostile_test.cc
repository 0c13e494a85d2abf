// Bytes that nobody would write: of configurations, sources, exports and
// expressions. Each is read or is a Status.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/extensions/custom_kernels/includes.h"
#include "dovetail/extensions/custom_kernels/kernel_bytes.h"
#include "dovetail/extensions/custom_kernels/reader.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr char kFolder[] = "testing/custom_kernels";
// What means something to one of the readers.
constexpr const char* kPieces[] = {"<",
                                   "/>",
                                   "\"",
                                   "<Tensor/>",
                                   "<![CDATA[",
                                   "]]>",
                                   "<!--",
                                   "&#0;",
                                   "&lt;",
                                   "arg-index=\"-1\"",
                                   "size=\"0\"",
                                   "[",
                                   "]",
                                   "INPUT0_DIMS",
                                   "OUTPUT9_DIMS[7]",
                                   "(((((((((",
                                   "18446744073709551616",
                                   "%0",
                                   "<Scalar",
                                   "type=\"local\"",
                                   "\xff\xfe",
                                   "\n\n",
                                   "<CustomLayer"};

std::vector<std::string> ValidTexts() {
  std::vector<std::string> paths, texts;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  return texts;
}

std::string Mutated(std::string text, const std::vector<std::string>& all,
                    std::mt19937& random) {
  for (int change = static_cast<int>(random() % 6); change >= 0; --change) {
    const size_t at = text.empty() ? 0 : random() % text.size();
    const std::string& other = all[random() % all.size()];
    switch (random() % 6) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 60);
        break;
      case 2:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      case 3:
        text.insert(at, other.substr(random() % other.size(), random() % 200));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.insert(at,
                    std::string(random() % 300, text.empty() ? '(' : text[at]));
    }
  }
  return text;
}

absl::StatusOr<std::vector<CustomKernel>> Parse(const std::string& xml) {
  static const auto& sources = *new std::map<std::string, std::string>{
      {"furthest.cl", "// a"}, {"scan.cl", "#include \"furthest.cl\"\n"}};
  return ParseCustomKernels(xml, "hostile.xml", sources);
}

TEST(HostileTest, FilesAreValidBeforeTheyAreChanged) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() != ".xml") continue;
    const auto kernels = ReadCustomKernels(entry.path());
    EXPECT_TRUE(kernels.ok()) << kernels.status();
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(HostileTest, Configurations) {
  const std::vector<std::string> texts = ValidTexts();
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    const std::string xml = Mutated(texts[i % texts.size()], texts, random);
    const auto kernels = Parse(xml);
    if (kernels.ok()) continue;
    EXPECT_EQ(kernels.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(kernels.status().message(), testing::HasSubstr("hostile.xml"));
  }
}

TEST(HostileTest, Sources) {
  const std::map<std::string, std::string> files = {
      {"a&\"<.cl", "x ]]> <y> & z\n"}, {"b.bin", std::string("\0\1\xff", 3)}};
  const std::string valid = WriteSources(files);
  const auto read = ParseSources(valid, "sources");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, files);
  std::mt19937 random(12);
  for (int i = 0; i < 5000; ++i) {
    const auto mutated = ParseSources(Mutated(valid, {valid}, random), "s");
    if (mutated.ok()) continue;
    EXPECT_EQ(mutated.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(HostileTest, Includes) {
  const std::string valid =
      "#pragma once\n#include \"a.h\"\n/* \"\n*/ #include \"sub/b.h\"\n"
      "#  include \"../a.h\" // '\n#define A \"/*\" '\\'' \\\n";
  std::mt19937 random(15);
  for (int i = 0; i < 3000; ++i) {
    std::map<std::string, std::string> files;
    for (const char* name : {"a.h", "sub/b.h", "sub/a.h", "a.cl"}) {
      files[name] = Mutated(random() % 2 == 0 ? valid : "", {valid}, random);
    }
    const auto find =
        [&](const std::string& path) -> absl::StatusOr<std::string> {
      const auto it = files.find(path);
      if (it != files.end()) return it->second;
      return absl::NotFoundError(path);
    };
    CustomSource source = {"a.cl", files["a.cl"], {}};
    const absl::Status status = IncludeInliner(find, false).Inline(source);
    if (status.ok()) continue;
    EXPECT_THAT(status.message(), testing::HasSubstr(": #include \""));
  }
}

TEST(HostileTest, Exports) {
  std::vector<CustomKernel> kernels;
  for (const char* name : {"sam/furthest.xml", "decode/sum13.xml"}) {
    const auto read = ReadCustomKernels(absl::StrCat(kFolder, "/", name));
    ASSERT_TRUE(read.ok()) << read.status();
    kernels.insert(kernels.end(), read->begin(), read->end());
  }
  const std::string valid = WriteKernelBytes(kernels);
  const auto read = ReadKernelBytes(valid);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(WriteKernelBytes(*read), valid);
  EXPECT_EQ((*read)[0].tensors[2].size, kernels[0].tensors[2].size);
  std::mt19937 random(13);
  for (int i = 0; i < 5000; ++i) {
    const auto mutated = ReadKernelBytes(Mutated(valid, {valid}, random));
    if (mutated.ok()) continue;
    EXPECT_EQ(mutated.status().code(), absl::StatusCode::kDataLoss);
  }
}

TEST(HostileTest, Expressions) {
  const std::vector<std::string> texts = {
      "INPUT0_DIMS[0]*INPUT0_DIMS[1]*4", "(X + 15) / 16 * 16", "B*F*Y*X,1,1",
      "-(-9223372036854775807 - 1) % (B - 1)"};
  const auto names = [](absl::string_view name,
                        int64_t index) -> std::optional<int64_t> {
    if (name.size() == 1 || index >= 0) return int64_t{1} << 40;
    return std::nullopt;
  };
  std::mt19937 random(14);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = Mutated(texts[i % texts.size()], texts, random);
    const auto value = EvaluateSizeExpression(text, names);
    const absl::Status form = CheckSizeExpression(text, names);
    if (value.ok()) {
      EXPECT_TRUE(form.ok()) << text;
      continue;
    }
    EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace dovetail
