#include "dovetail/core/plugin/registry/build_id.h"

#include "absl/base/config.h"
#include "dovetail/core/plugin/registry/abi_hash.h"

#define DOVETAIL_TEXT_INNER_(x) #x
#define DOVETAIL_TEXT_(x) DOVETAIL_TEXT_INNER_(x)

#if defined(__clang__)
#define DOVETAIL_COMPILER_ "clang " DOVETAIL_TEXT_(__clang_major__)
#elif defined(__GNUC__)
#define DOVETAIL_COMPILER_ "gcc " DOVETAIL_TEXT_(__GNUC__)
#else
#define DOVETAIL_COMPILER_ "unknown compiler"
#endif

#if defined(_GLIBCXX_RELEASE)
#define DOVETAIL_LIBRARY_ ", libstdc++ " DOVETAIL_TEXT_(_GLIBCXX_RELEASE)
#elif defined(_LIBCPP_VERSION)
#define DOVETAIL_LIBRARY_ ", libc++ " DOVETAIL_TEXT_(_LIBCPP_VERSION)
#else
#define DOVETAIL_LIBRARY_ ""
#endif

#if defined(ABSL_LTS_RELEASE_VERSION)
#define DOVETAIL_ABSEIL_ ", abseil " DOVETAIL_TEXT_(ABSL_LTS_RELEASE_VERSION)
#else
#define DOVETAIL_ABSEIL_ ", abseil head"
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(ABSL_HAVE_ADDRESS_SANITIZER)
#define DOVETAIL_SANITIZER_ ", asan"
#elif defined(__SANITIZE_THREAD__) || defined(ABSL_HAVE_THREAD_SANITIZER)
#define DOVETAIL_SANITIZER_ ", tsan"
#else
#define DOVETAIL_SANITIZER_ ""
#endif

namespace dovetail {

absl::string_view AbiHash() { return DOVETAIL_ABI_HASH; }

absl::string_view Toolchain() {
  return DOVETAIL_COMPILER_ DOVETAIL_LIBRARY_ DOVETAIL_ABSEIL_
      DOVETAIL_SANITIZER_;
}

}  // namespace dovetail
