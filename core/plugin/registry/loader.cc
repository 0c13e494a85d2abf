#include "dovetail/core/plugin/registry/loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/registry/build_id.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kSuffix = "_plugin.so";
constexpr char kPathVariable[] = "DOVETAIL_PLUGIN_PATH";

std::string LinkerError() {
  const char* error = dlerror();
  return error == nullptr ? "unknown error" : error;
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

absl::StatusOr<std::vector<std::string>> LibrariesInFolder(
    const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string file = it->path().string();
    if (absl::EndsWith(file, kSuffix)) files.push_back(file);
  }
  if (error) {
    return NotFound("folder '", folder, "' cannot be read: ", error.message());
  }
  if (files.empty()) {
    return NotFound("there is no *", kSuffix, " in folder '", folder, "'");
  }
  std::sort(files.begin(), files.end());
  return files;
}

// In the folders of the environment variable.
absl::StatusOr<std::string> SearchByName(const std::string& name) {
  const char* variable = std::getenv(kPathVariable);
  const std::vector<std::string> folders = absl::StrSplit(
      variable == nullptr ? "" : variable, ':', absl::SkipEmpty());
  for (const std::string& folder : folders) {
    for (const std::string& file :
         {name, absl::StrCat(absl::AsciiStrToLower(name), kSuffix)}) {
      const fs::path path = fs::path(folder) / file;
      if (Exists(path)) return path.string();
    }
  }
  return NotFound("there is no plugin library '", name,
                  "' here nor in the folders of ", kPathVariable, " (",
                  folders.empty() ? "none" : absl::StrJoin(folders, ", "), ")");
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindPluginLibraries(
    const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return LibrariesInFolder(path);
  if (Exists(path)) return std::vector<std::string>{path};
  if (path.empty() || path.find('/') != std::string::npos) {
    return NotFound("there is no plugin library '", path, "'");
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::string found, SearchByName(path));
  return std::vector<std::string>{std::move(found)};
}

absl::StatusOr<const ManifestHead*> LoadLibrary(
    const std::string& path, const LibraryKind& kind,
    absl::FunctionRef<absl::Status(const ManifestHead& head)> check) {
  // Without a slash the linker would search its own folders for the name.
  const std::string file =
      path.find('/') == std::string::npos ? "./" + path : path;
  if (!Exists(file)) {
    return NotFound("there is no ", kind.noun, " library '", path, "'");
  }
  // Local: the library's copy of Dovetail must not be mixed with the program's.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return FailedPrecondition(kind.noun, " library '", path,
                              "' cannot be loaded: ", LinkerError());
  }
  void* symbol = dlsym(library, kind.function);
  if (symbol == nullptr) {
    return FailedPrecondition("'", path, "' is no Dovetail ", kind.noun, ": ",
                              LinkerError());
  }
  // Every manifest begins with the head.
  const ManifestHead* head =
      reinterpret_cast<const ManifestHead* (*)()>(symbol)();
  const std::string what = absl::StrCat(kind.noun, " library '", path, "'");
  DOVETAIL_RETURN_IF_ERROR(Annotate(CheckHead(head), what));
  DOVETAIL_RETURN_IF_ERROR(Annotate(check(*head), what));
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(head->join_process(CurrentProcessTable()), what));
  return head;
}

absl::Status CheckHead(const ManifestHead* head) {
  if (head == nullptr) return InvalidArgument("it gives no manifest");
  absl::string_view abi(head->abi, sizeof(head->abi));
  abi = abi.substr(0, abi.find('\0'));
  if (abi != AbiHash()) {
    return FailedPrecondition("it was built with plugin interface '",
                              absl::CHexEscape(abi), "', this program with '",
                              AbiHash(), "': build both from the same sources");
  }
  for (const char* text :
       {head->toolchain, head->name, head->description, head->build}) {
    if (text == nullptr) return InvalidArgument("its manifest is incomplete");
  }
  if (head->join_process == nullptr) {
    return InvalidArgument("its manifest is incomplete");
  }
  if (head->toolchain != Toolchain()) {
    return FailedPrecondition("it was built with ", head->toolchain,
                              ", this program with ", Toolchain());
  }
  return absl::OkStatus();
}

absl::Status CheckManifest(const PluginManifest* manifest) {
  DOVETAIL_RETURN_IF_ERROR(CheckHead(manifest));
  if (manifest->aliases == nullptr || manifest->make_plugin == nullptr) {
    return InvalidArgument("its manifest is incomplete");
  }
  return absl::OkStatus();
}

absl::StatusOr<const PluginManifest*> LoadManifest(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const ManifestHead* head,
      LoadLibrary(
          path, {kManifestFunction, "plugin"}, [](const ManifestHead& any) {
            return CheckManifest(static_cast<const PluginManifest*>(&any));
          }));
  return static_cast<const PluginManifest*>(head);
}

}  // namespace dovetail
