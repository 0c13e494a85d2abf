// Writes the attributes of an operation as those of <data>.
#ifndef DOVETAIL_EXTENSIONS_IR_WRITER_ATTRIBUTES_WRITER_H_
#define DOVETAIL_EXTENSIONS_IR_WRITER_ATTRIBUTES_WRITER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// Sets an attribute, or adds it.
void SetText(pugi::xml_node element, absl::string_view name,
             absl::string_view text);

// What AttributesReader reads. Makes <data> below `layer` when there is the
// first attribute to write. Only reads the values that it visits.
class AttributesWriter : public AttributeVisitor {
 public:
  // Writes a constant's value, which is not in <data> alone.
  using WriteTensor =
      std::function<absl::Status(const Tensor& value, pugi::xml_node data)>;

  AttributesWriter(pugi::xml_node layer, WriteTensor write_tensor)
      : layer_(layer), write_tensor_(std::move(write_tensor)) {}

  // The first error of writing a tensor.
  const absl::Status& status() const { return status_; }

  using AttributeVisitor::Visit;
  void Visit(absl::string_view name, bool& value) override;
  void Visit(absl::string_view name, int64_t& value) override;
  void Visit(absl::string_view name, uint64_t& value) override;
  void Visit(absl::string_view name, double& value) override;
  void Visit(absl::string_view name, std::string& value) override;
  void Visit(absl::string_view name, std::vector<int64_t>& value) override;
  void Visit(absl::string_view name, std::vector<double>& value) override;
  void Visit(absl::string_view name, std::vector<std::string>& value) override;
  void Visit(absl::string_view name, ElementType& value) override;
  void Visit(absl::string_view name, PartialShape& value) override;
  void Visit(absl::string_view name, Tensor& value) override;

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override;

 private:
  pugi::xml_node Data();
  void Set(absl::string_view name, absl::string_view text);

  pugi::xml_node layer_;
  WriteTensor write_tensor_;
  absl::Status status_;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_WRITER_ATTRIBUTES_WRITER_H_
