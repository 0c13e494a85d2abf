// Where tests find files: those of this repository, and the developers' shared
// folder of models and expected outputs, which not every machine has.
#ifndef DOVETAIL_TESTING_SHARED_FILES_H_
#define DOVETAIL_TESTING_SHARED_FILES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace dovetail {

// The path of a file that is listed in the `data` of the test, or of a library
// it uses, from its path in this repository: "testing/graphs/relu.xml".
std::string RunfilePath(absl::string_view workspace_relative);

// The shared folder: where the environment's DOVETAIL_SHARED says, else the
// folder "shared" beside the root of this repository. Nothing when there is
// none. Outside `bazel test`, only the environment counts.
std::optional<std::string> SharedDir();

// A file or folder in it, by its path there. Nothing when it does not exist.
std::optional<std::string> SharedPath(absl::string_view relative);

// For messages: what to do about a shared file that is not there.
std::string WithoutShared(absl::string_view relative);

}  // namespace dovetail

// At the start of a test that cannot do without the shared folder: declares the
// std::string `path` for a file or folder in it, or skips the test with one
// line that says so.
//
//   DOVETAIL_SHARED_PATH_OR_SKIP(model, "demo/digit_classifier.xml");
#define DOVETAIL_SHARED_PATH_OR_SKIP(path, relative)        \
  const std::optional<std::string> dovetail_shared_##path = \
      ::dovetail::SharedPath(relative);                     \
  if (!dovetail_shared_##path.has_value()) {                \
    GTEST_SKIP() << ::dovetail::WithoutShared(relative);    \
  }                                                         \
  const std::string& path = *dovetail_shared_##path

#endif  // DOVETAIL_TESTING_SHARED_FILES_H_
