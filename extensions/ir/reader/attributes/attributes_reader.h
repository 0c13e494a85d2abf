// Fills the attributes of an operation from the <data> of a layer.
#ifndef DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_ATTRIBUTES_READER_H_
#define DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_ATTRIBUTES_READER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "pugixml.hpp"

namespace dovetail::ir {

// A missing attribute keeps its default; what the operation does not ask for is
// not looked at. After the first error nothing is read any more.
class AttributesReader : public AttributeVisitor {
 public:
  // Reads a constant's value, which is not in <data> alone.
  using ReadTensor = std::function<absl::StatusOr<Tensor>()>;

  // `data` may be null: then there are no attributes at all.
  AttributesReader(pugi::xml_node data, int max_rank, ReadTensor read_tensor)
      : data_(data),
        max_rank_(max_rank),
        read_tensor_(std::move(read_tensor)) {}

  // kInvalidArgument, such as "attribute 'axis': '1x' is not an integer".
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
  // Parses the attribute, if it is there, and keeps the error or the value.
  template <typename T, typename Parse>
  void Read(absl::string_view name, T& value, Parse parse);

  pugi::xml_node data_;
  int max_rank_;
  ReadTensor read_tensor_;
  absl::Status status_;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_READER_ATTRIBUTES_ATTRIBUTES_READER_H_
