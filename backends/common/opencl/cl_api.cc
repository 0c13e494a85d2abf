#include "dovetail/backends/common/opencl/cl_api.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/base/status.h"

namespace dovetail::opencl {
namespace {

constexpr char kLibraryVariable[] = "DOVETAIL_OPENCL_LIBRARY";
constexpr char kVendorsVariable[] = "OCL_ICD_VENDORS";
constexpr char kVendorsFolder[] = "/etc/OpenCL/vendors";

struct LoadedApi {
  std::mutex mutex;
  std::unique_ptr<const ClApi> api;
};

std::string TextOf(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? text : "";
}

absl::StatusOr<std::unique_ptr<const ClApi>> LoadFirst() {
  const std::string named = TextOf(kLibraryVariable);
  // The second name is what a development package installs.
  const std::vector<std::string> libraries =
      named.empty() ? std::vector<std::string>{"libOpenCL.so.1", "libOpenCL.so"}
                    : std::vector<std::string>{named};
  std::vector<std::string> reasons;
  for (const std::string& library : libraries) {
    auto api = LoadClApiFrom(library);
    if (api.ok()) return api;
    reasons.emplace_back(api.status().message());
  }
  return Unavailable("no OpenCL library: ", absl::StrJoin(reasons, "; "), ". ",
                     RegisteredDrivers(), ". ", kLibraryVariable,
                     " names another library");
}

}  // namespace

absl::StatusOr<std::unique_ptr<const ClApi>> LoadClApiFrom(
    const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    return Unavailable("cannot open '", library,
                       "': ", reason != nullptr ? reason : "no reason given");
  }
  auto api = std::make_unique<ClApi>();
  std::vector<std::string> missing;
#define DOVETAIL_CL_LOAD_(name)                                         \
  api->name =                                                           \
      reinterpret_cast<decltype(api->name)>(dlsym(handle, "cl" #name)); \
  if (api->name == nullptr) missing.push_back("cl" #name);
  DOVETAIL_CL_FUNCTIONS(DOVETAIL_CL_LOAD_)
#undef DOVETAIL_CL_LOAD_
  if (!missing.empty()) {
    dlclose(handle);
    return Unavailable("'", library, "' is no library of OpenCL 1.2: it lacks ",
                       absl::StrJoin(missing, ", "));
  }
  return api;
}

absl::StatusOr<const ClApi*> LoadClApi() {
  auto& loaded = ProcessWide<LoadedApi>("backends/gpu OpenCL library");
  std::lock_guard<std::mutex> lock(loaded.mutex);
  if (loaded.api == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(loaded.api, LoadFirst());
  }
  return loaded.api.get();
}

std::string RegisteredDrivers() {
  std::string folder = TextOf(kVendorsVariable);
  if (folder.empty()) folder = kVendorsFolder;
  std::vector<std::string> drivers;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".icd")
      drivers.push_back(it->path().filename());
  }
  if (drivers.empty()) {
    return absl::StrCat("no driver is registered in ", folder);
  }
  std::sort(drivers.begin(), drivers.end());
  return absl::StrCat("registered in ", folder, ": ",
                      absl::StrJoin(drivers, ", "));
}

}  // namespace dovetail::opencl
