// An operation as code names it, checked by the compiler:
//
//   node.Is("Gelu")     in any version
//   node.Is("Gelu-7")   in this one
//   node.Is("Glu")      does not compile
//
// Names that are known at run time only have to say so: OpType::Named(text).
#ifndef DOVETAIL_CORE_GRAPH_OP_TYPE_H_
#define DOVETAIL_CORE_GRAPH_OP_TYPE_H_

#include <iterator>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/op_names.h"

namespace dovetail {

// Immutable; a constant of a literal type, so that tables can hold it.
class OpType {
 public:
  static constexpr int kAnyVersion = -1;

  // "Gelu" or "Gelu-7": a name of core/graph/op_names.h. Implicit, so that a
  // literal does where an operation is asked for.
  consteval OpType(const char* name)  // NOLINT
      : OpType(SplitAtHyphen(name)) {
    Check(type_, version_);
  }
  consteval OpType(const char* type, int version)
      : type_(type), version_(version) {
    Check(type_, version_);
  }

  // Any type, in any version: of an extension, a file or a test. The text has
  // to live as long as the OpType.
  static constexpr OpType Named(absl::string_view type) {
    return OpType(Parts{type, kAnyVersion});
  }

  constexpr absl::string_view type() const { return type_; }
  // kAnyVersion unless the name has one.
  constexpr int version() const { return version_; }
  constexpr bool Matches(absl::string_view type, int version) const {
    return type_ == type && (version_ == kAnyVersion || version_ == version);
  }

 private:
  struct Parts {
    absl::string_view type;
    int version;
  };

  explicit constexpr OpType(Parts parts)
      : type_(parts.type), version_(parts.version) {}

  static consteval Parts SplitAtHyphen(absl::string_view name) {
    size_t hyphen = 0;
    while (hyphen < name.size() && name[hyphen] != '-') ++hyphen;
    if (hyphen == name.size()) return {name, kAnyVersion};
    int version = 0;
    for (size_t i = hyphen + 1; i < name.size(); ++i) {
      version = version * 10 + (name[i] - '0');
    }
    return {absl::string_view(name.data(), hyphen), version};
  }

  // Not constexpr: a call ends the compilation, with this name in its message.
  static void ThereIsNoOperationOfThatName();
  static void TheOperationHasNoSuchVersion();

  static consteval void Check(absl::string_view type, int version) {
    const internal::OpName* begin = std::begin(internal::kOpNames);
    const internal::OpName* end = std::end(internal::kOpNames);
    while (begin != end) {
      const internal::OpName* const middle = begin + (end - begin) / 2;
      const int order = type.compare(middle->type);
      if (order == 0) return CheckVersion(*middle, version);
      if (order < 0) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    ThereIsNoOperationOfThatName();
  }

  static consteval void CheckVersion(const internal::OpName& name,
                                     int version) {
    if (version == kAnyVersion) return;
    if (version < 0 || version > 31 ||
        (name.versions & internal::Version(version)) == 0) {
      TheOperationHasNoSuchVersion();
    }
  }

  absl::string_view type_;
  int version_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_OP_TYPE_H_
