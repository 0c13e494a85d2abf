#include "dovetail/backends/gpu/program/joined_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace dovetail::gpu {
namespace {

constexpr absl::string_view kNameWord = "KERNEL_NAME";

// Text and helpers; a zero byte stands in no source.
std::string Identity(const KernelSource& source) {
  const absl::string_view zero("\0", 1);
  return absl::StrCat(source.text, zero, absl::StrJoin(source.helpers, zero),
                      zero, source.entry, zero, source.binary);
}

int LineCount(absl::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void AppendWithNewline(absl::string_view text, std::string& to) {
  to.append(text.data(), text.size());
  if (!absl::EndsWith(text, "\n")) to.push_back('\n');
}

// The text of one program of these kernels, which are all different.
JoinedSource::Program Join(
    absl::Span<const std::pair<const KernelSource*, std::string>> kernels) {
  JoinedSource::Program program;
  std::set<absl::string_view> written;
  for (const auto& [source, name] : kernels) {
    for (const std::string& helper : source->helpers) {
      if (written.insert(helper).second) {
        AppendWithNewline(helper, program.text);
      }
    }
  }
  for (const auto& [source, name] : kernels) {
    JoinedSource::Kernel kernel{name, LineCount(program.text) + 1};
    // What a user calls so is not ours.
    AppendWithNewline(
        source->is_alone()
            ? source->text
            : absl::StrReplaceAll(source->text, {{kNameWord, name}}),
        program.text);
    program.binary += source->binary;
    kernel.last_line = LineCount(program.text);
    program.kernels.push_back(std::move(kernel));
  }
  return program;
}

}  // namespace

const JoinedSource::Kernel* JoinedSource::Program::KernelAt(int line) const {
  for (const Kernel& kernel : kernels) {
    if (line >= kernel.first_line && line <= kernel.last_line) return &kernel;
  }
  return nullptr;
}

JoinedSource JoinSources(absl::Span<const KernelSource> sources,
                         int max_kernels) {
  std::vector<std::pair<const KernelSource*, std::string>> unique;
  std::map<std::string, size_t> index_of;
  JoinedSource joined;
  for (const KernelSource& source : sources) {
    const auto [it, is_new] = index_of.emplace(Identity(source), unique.size());
    if (is_new) {
      unique.emplace_back(&source,
                          source.is_alone()
                              ? source.entry
                              : absl::StrCat(source.name, "_", it->second));
    }
    joined.places.push_back({static_cast<int>(it->second) / max_kernels,
                             unique[it->second].second});
  }
  const absl::Span<const std::pair<const KernelSource*, std::string>> all(
      unique);
  for (size_t begin = 0; begin < all.size(); begin += max_kernels) {
    joined.programs.push_back(Join(all.subspan(begin, max_kernels)));
  }
  return joined;
}

}  // namespace dovetail::gpu
