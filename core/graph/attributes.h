// Typed attributes of operations. Each operation with attributes has a struct
// whose single Visit serves the IR reader and writer, the printer, hashing,
// equality and cloning:
//
//   struct ConcatAttributes : AttributesOf<ConcatAttributes> {
//     int64_t axis = 0;
//     void Visit(AttributeVisitor& visitor) override {
//       visitor.Visit("axis", axis);
//     }
//   };
//
// Names are those of the IR. Defaults are the initial values of the members.
#ifndef DOVETAIL_CORE_GRAPH_ATTRIBUTES_H_
#define DOVETAIL_CORE_GRAPH_ATTRIBUTES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// One spelling of an enumerated attribute. The first spelling of a value is the
// one that is written; reading ignores the case.
struct EnumName {
  int value;
  absl::string_view name;
};

// Reads or writes the attributes that are shown to it, one overload a type. An
// enumeration E is visited through a function `EnumNames(E)` beside it, found
// by argument-dependent lookup:
//
//   enum class PadMode { kConstant, kEdge };
//   absl::Span<const EnumName> EnumNames(PadMode);
class AttributeVisitor {
 public:
  virtual ~AttributeVisitor() = default;

  virtual void Visit(absl::string_view name, bool& value) = 0;
  virtual void Visit(absl::string_view name, int64_t& value) = 0;
  virtual void Visit(absl::string_view name, uint64_t& value) = 0;
  virtual void Visit(absl::string_view name, double& value) = 0;
  virtual void Visit(absl::string_view name, std::string& value) = 0;
  virtual void Visit(absl::string_view name, std::vector<int64_t>& value) = 0;
  virtual void Visit(absl::string_view name, std::vector<double>& value) = 0;
  virtual void Visit(absl::string_view name,
                     std::vector<std::string>& value) = 0;
  virtual void Visit(absl::string_view name, ElementType& value) = 0;
  virtual void Visit(absl::string_view name, PartialShape& value) = 0;
  // The value of a constant; never null data.
  virtual void Visit(absl::string_view name, Tensor& value) = 0;

  template <typename E,
            typename = std::enable_if_t<std::is_enum_v<E> &&
                                        !std::is_same_v<E, ElementType>>>
  void Visit(absl::string_view name, E& value) {
    int number = static_cast<int>(value);
    VisitEnum(name, number, EnumNames(E{}));
    value = static_cast<E>(number);
  }

 protected:
  virtual void VisitEnum(absl::string_view name, int& value,
                         absl::Span<const EnumName> names) = 0;
};

// Base of all attribute structs.
class Attributes {
 public:
  virtual ~Attributes() = default;
  virtual void Visit(AttributeVisitor& visitor) = 0;
  virtual std::unique_ptr<Attributes> Clone() const = 0;
  // Name of the struct: what As<T>() is checked with. A string, because a
  // shared plugin has a copy of its own of everything linked into it.
  virtual absl::string_view type_name() const = 0;
};

namespace internal {
template <typename T>
constexpr absl::string_view TypeName() {
  return __PRETTY_FUNCTION__;
}
}  // namespace internal

// What an attribute struct derives from: T itself, for Clone and type_name.
template <typename T>
struct AttributesOf : public Attributes {
  std::unique_ptr<Attributes> Clone() const override {
    return std::make_unique<T>(static_cast<const T&>(*this));
  }
  absl::string_view type_name() const override {
    return internal::TypeName<T>();
  }
};

// Of operations without attributes.
struct NoAttributes : public AttributesOf<NoAttributes> {
  void Visit(AttributeVisitor&) override {}
};

// "{axis: 1, mode: constant}" in the order of Visit; "{}" without any.
std::string ToString(const Attributes& attributes);
// Whether both are of one struct with equal values (tensors bit by bit).
bool Equal(const Attributes& a, const Attributes& b);
// Equal attributes have equal hashes, in this process and in any other.
uint64_t Hash(const Attributes& attributes);
// The value of an attribute that is a text; nothing when there is none of that
// name. For what is found in several structs, such as "variable_id".
std::optional<std::string> FindStringAttribute(const Attributes& attributes,
                                               absl::string_view name);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_ATTRIBUTES_H_
