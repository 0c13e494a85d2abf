// Writes the blocks as IR, and a list of them for bench/peers/compare.py:
//
//   bazel run //bench/blocks -- FOLDER [--seed=1] [--only=TEXT] [--small]
//
// FOLDER/blocks.tsv has a line a block, its name and the name of its file;
// --only takes those with TEXT in their names, --small the small ones of the
// tests instead. Needs some 600 MB.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/bench/blocks/block_list.h"
#include "dovetail/core/base/files/atomic_file.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/writer.h"

ABSL_FLAG(unsigned, seed, 1, "Which sizes and constants.");
ABSL_FLAG(std::string, only, "", "Only blocks with this in their names.");
ABSL_FLAG(bool, small, false, "The small blocks of the tests.");

namespace dovetail::blocks {
namespace {

absl::Status Write(const Block& block, const std::filesystem::path& folder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Model model, MakeModel(block));
  return WriteIr(model, folder / absl::StrCat(block.name, ".xml"));
}

absl::Status WriteAll(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Unavailable("cannot make folder ", folder.string(), ": ",
                       error.message());
  }
  std::string list;
  const unsigned seed = absl::GetFlag(FLAGS_seed);
  for (const Block& block :
       absl::GetFlag(FLAGS_small) ? SmallBlocks(seed) : AllBlocks(seed)) {
    if (!absl::StrContains(block.name, absl::GetFlag(FLAGS_only))) continue;
    DOVETAIL_RETURN_IF_ERROR(Write(block, folder));
    absl::StrAppend(&list, block.name, "\t", block.name, ".xml\n");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> file,
                            AtomicFile::Create(folder / "blocks.tsv"));
  DOVETAIL_RETURN_IF_ERROR(file->Append(list));
  return file->Commit();
}

// Paths are meant from where the user is, not from where bazel run starts us.
std::filesystem::path FolderOf(const char* word) {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  return directory == nullptr ? word : std::filesystem::path(directory) / word;
}

}  // namespace
}  // namespace dovetail::blocks

int main(int argc, char** argv) {
  const std::vector<char*> words = absl::ParseCommandLine(argc, argv);
  if (words.size() != 2) {
    std::fprintf(stderr, "which folder?\n");
    return 2;
  }
  const absl::Status status =
      dovetail::blocks::WriteAll(dovetail::blocks::FolderOf(words[1]));
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}
