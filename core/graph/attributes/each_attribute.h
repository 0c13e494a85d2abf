// Visitors that treat attributes of all types alike.
#ifndef DOVETAIL_CORE_GRAPH_ATTRIBUTES_EACH_ATTRIBUTE_H_
#define DOVETAIL_CORE_GRAPH_ATTRIBUTES_EACH_ATTRIBUTE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"

namespace dovetail {

// Calls Each(name, value), a template of class Derived or overloads, for every
// attribute but those of enumerations, for which Derived has VisitEnum:
//
//   class Counter : public EachAttribute<Counter> {
//    public:
//     template <typename T>
//     void Each(absl::string_view name, T& value) { ++count; }
//     int count = 0;
//
//    protected:
//     void VisitEnum(absl::string_view, int&,
//                    absl::Span<const EnumName>) override { ++count; }
//   };
template <typename Derived>
class EachAttribute : public AttributeVisitor {
 public:
  using AttributeVisitor::Visit;
  using Name = absl::string_view;

  void Visit(Name name, bool& v) final { Show(name, v); }
  void Visit(Name name, int64_t& v) final { Show(name, v); }
  void Visit(Name name, uint64_t& v) final { Show(name, v); }
  void Visit(Name name, double& v) final { Show(name, v); }
  void Visit(Name name, std::string& v) final { Show(name, v); }
  void Visit(Name name, std::vector<int64_t>& v) final { Show(name, v); }
  void Visit(Name name, std::vector<double>& v) final { Show(name, v); }
  void Visit(Name name, std::vector<std::string>& v) final { Show(name, v); }
  void Visit(Name name, ElementType& v) final { Show(name, v); }
  void Visit(Name name, PartialShape& v) final { Show(name, v); }
  void Visit(Name name, Tensor& v) final { Show(name, v); }

 private:
  template <typename T>
  void Show(Name name, T& value) {
    static_cast<Derived*>(this)->Each(name, value);
  }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_ATTRIBUTES_EACH_ATTRIBUTE_H_
