#include "dovetail/tools/conformance/topologies/generated_weights.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail::conformance {
namespace {

constexpr char kHeader[] =
    "offset\tsize\ttype\tkind\tmean\tscale\tseed\tsmall_offset";

// A constant: `size` bytes at `offset`, copied or generated.
struct Constant {
  uint64_t offset = 0, size = 0;
  bool raw = false;
  uint64_t small_offset = 0;  // where the bytes of a raw one are
  float mean = 0, scale = 0;
  uint64_t seed = 0;
};

// Hexadecimal floats, which absl::SimpleAtof does not take.
bool ParseFloat(const std::string& text, float& value) {
  char* end = nullptr;
  value = std::strtof(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

absl::StatusOr<Constant> ParseConstant(absl::string_view line) {
  const std::vector<std::string> fields = absl::StrSplit(line, '\t');
  if (fields.size() != 8) {
    return InvalidArgument("has ", fields.size(), " columns, want 8");
  }
  Constant constant;
  bool ok = absl::SimpleAtoi(fields[0], &constant.offset) &&
            absl::SimpleAtoi(fields[1], &constant.size);
  if (fields[3] == "raw") {
    constant.raw = true;
    ok = ok && absl::SimpleAtoi(fields[7], &constant.small_offset);
  } else if (fields[3] == "gen") {
    ok = ok && ParseFloat(fields[4], constant.mean) &&
         ParseFloat(fields[5], constant.scale) &&
         absl::SimpleAtoi(fields[6], &constant.seed);
  } else {
    return InvalidArgument("the kind is '", fields[3], "', want raw or gen");
  }
  if (!ok) return InvalidArgument("a number is none");
  if (!constant.raw && constant.size % sizeof(float) != 0) {
    return InvalidArgument("the size is ", constant.size,
                           " bytes, want whole floats");
  }
  return constant;
}

// `small` holds the bytes of all raw constants.
absl::Status WriteConstant(const Constant& constant, const std::string& small,
                           std::ofstream& out) {
  out.seekp(static_cast<std::streamoff>(constant.offset));
  if (constant.raw) {
    if (constant.small_offset > small.size() ||
        constant.size > small.size() - constant.small_offset) {
      return InvalidArgument("small.bin is only ", small.size(), " bytes long");
    }
    out.write(small.data() + constant.small_offset,
              static_cast<std::streamsize>(constant.size));
    return absl::OkStatus();
  }
  constexpr uint64_t kChunk = 1 << 16;
  std::vector<float> chunk;
  const uint64_t count = constant.size / sizeof(float);
  for (uint64_t i = 0; i < count && out; i += kChunk) {
    chunk.resize(std::min(kChunk, count - i));
    GenerateWeights(constant.mean, constant.scale, constant.seed, i,
                    absl::MakeSpan(chunk));
    out.write(reinterpret_cast<const char*>(chunk.data()),
              static_cast<std::streamsize>(chunk.size() * sizeof(float)));
  }
  return absl::OkStatus();
}

}  // namespace

void GenerateWeights(float mean, float scale, uint64_t seed, uint64_t first,
                     absl::Span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    uint64_t z = seed + first + i + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    const int32_t k = static_cast<int32_t>(z >> 40) - (1 << 23);
    const float product = scale * (static_cast<float>(k) * 0x1p-23f);
    out[i] = mean + product;
  }
}

absl::Status WriteGeneratedWeights(const std::string& folder,
                                   const std::string& path, bool generates) {
  const std::string table = absl::StrCat(folder, "/weights.tsv");
  std::ifstream in(table);
  std::string line;
  if (!std::getline(in, line) || line != kHeader) {
    return InvalidArgument(table, ": line 1 is not the columns that are known");
  }
  std::ifstream small_file(absl::StrCat(folder, "/small.bin"),
                           std::ios::binary);
  const std::string small{std::istreambuf_iterator<char>(small_file),
                          std::istreambuf_iterator<char>()};
  std::ofstream out(path, std::ios::binary);
  for (int number = 2; std::getline(in, line); ++number) {
    absl::StatusOr<Constant> constant = ParseConstant(line);
    absl::Status written = constant.status();
    if (constant.ok() && (generates || constant->raw)) {
      written = WriteConstant(*constant, small, out);
    } else if (constant.ok() && constant->size > 0) {
      out.seekp(
          static_cast<std::streamoff>(constant->offset + constant->size - 1));
      out.put('\0');
    }
    if (!written.ok()) {
      return Annotate(written, absl::StrCat(table, ": line ", number));
    }
  }
  out.close();
  if (!out) return Internal("cannot write ", path);
  return absl::OkStatus();
}

}  // namespace dovetail::conformance
