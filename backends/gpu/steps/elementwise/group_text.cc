#include "dovetail/backends/gpu/steps/elementwise/group_text.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/registers.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"

namespace dovetail::gpu {
namespace {

// Where operand `k` of the item's outer places begins: ints at0, at1, .... The
// last outer extent has a number of the item's of its own, so that most walks
// need no division.
std::string Places(const GroupLayout& layout) {
  const BroadcastWalk& walk = layout.walk;
  std::string text =
      "const int row = get_global_id(1);\n"
      "int rest = get_global_id(2);\n"
      "if (row >= rows || rest >= outer) return;\n";
  if (layout.is_padded) {
    absl::StrAppend(&text,
                    "const int left = channels - (rest * rows + row) / "
                    "outer_of_block % blocks * 16;\n");
  }
  std::vector<std::string> sums(walk.strides.size(), "0");
  const size_t outer = walk.extents.size() - 1;
  for (size_t d = outer; d-- > 0;) {
    std::string index = "rest";
    if (d + 1 == outer) {
      index = "row";
    } else if (d > 0) {
      index = absl::StrCat("(rest % extent", d, ")");
    }
    absl::StrAppend(&text, "const int index", d, " = ", index, ";\n");
    if (d > 0 && d + 1 < outer) {
      absl::StrAppend(&text, "rest /= extent", d, ";\n");
    }
    for (size_t k = 0; k < sums.size(); ++k) {
      absl::StrAppend(&sums[k], " + index", d, " * stride", k, "_", d);
    }
  }
  for (size_t k = 0; k < sums.size(); ++k) {
    absl::StrAppend(&text, "const int at", k, " = ", sums[k], ";\n");
  }
  return text;
}

// The statements on a vector of elements from number j on.
class Statements {
 public:
  Statements(const GroupOperands& operands, const GroupLayout& layout,
             int lanes)
      : operands_(operands), layout_(layout), lanes_(lanes) {}

  std::string Text(const std::vector<const Node*>& results) const {
    std::string text;
    for (size_t k = 0; k < operands_.inputs.size(); ++k) {
      const ElementType type = operands_.inputs[k].value.type();
      absl::StrAppend(&text, "const ", RegisterType(type, lanes_), " v", k,
                      " = ", Load(k), ";\n");
    }
    for (size_t k = 0; k < operands_.members.size(); ++k) {
      const GroupMember& member = operands_.members[k];
      const ElementType type = member.node->port().type;
      absl::StrAppend(&text, "const ", RegisterType(type, lanes_), " w", k,
                      " = ", Computed(member), ";\n");
      for (size_t i = 0; i < results.size(); ++i) {
        if (results[i] == member.node) {
          absl::StrAppend(&text, Store(i, absl::StrCat("w", k), type));
        }
      }
    }
    return text;
  }

 private:
  std::string Load(size_t k) const {
    const ElementType type = operands_.inputs[k].stored;
    const std::string pointer = absl::StrCat("x", k, " + at", k);
    return layout_.walk.strides[k].back() == 0
               ? LoadOneText(type, pointer, lanes_)
               : LoadText(type, absl::StrCat(pointer, " + j"), lanes_);
  }

  // What is behind the channels stays 0.
  std::string Store(size_t i, const std::string& value,
                    ElementType type) const {
    const std::string pointer =
        absl::StrCat("y", i, " + at", operands_.inputs.size(), " + j");
    if (!layout_.is_padded) return StoreOf(type, value, pointer);
    std::vector<int> numbers(lanes_);
    for (int lane = 0; lane < lanes_; ++lane) numbers[lane] = lane;
    const std::string vector = lanes_ == 1 ? "" : absl::StrCat(lanes_);
    return StoreOf(
        type,
        absl::Substitute(
            "((int$0)(j % 16) + (int$0)($1) < left ? $2 : (float$0)(0.0f))",
            vector, absl::StrJoin(numbers, ", "), value),
        pointer);
  }

  std::string StoreOf(ElementType type, absl::string_view value,
                      absl::string_view pointer) const {
    if (type != ElementType::kF32) {
      return StoreText(type, value, pointer, lanes_);
    }
    return absl::StrCat(StoreFloats(layout_.float_type, value, pointer, lanes_),
                        ";\n");
  }

  std::string OperandText(const OperandPlace& place, ElementType type) const {
    if (place.kind == OperandPlace::Kind::kNode) {
      return absl::StrCat("w", place.index);
    }
    if (place.kind == OperandPlace::Kind::kInput) {
      return absl::StrCat("v", place.index);
    }
    return absl::Substitute("(($0)(n$1))", RegisterType(type, lanes_),
                            place.index);
  }

  std::string Computed(const GroupMember& member) const {
    std::vector<std::string> operands, numbers;
    for (size_t i = 0; i < member.operands.size(); ++i) {
      operands.push_back(OperandText(
          member.operands[i], member.node->input(static_cast<int>(i)).type()));
    }
    for (const size_t number : member.numbers) {
      numbers.push_back(absl::StrCat("n", number));
    }
    return member.expression.Text(operands, numbers, lanes_);
  }

  const GroupOperands& operands_;
  const GroupLayout& layout_;
  const int lanes_;
};

}  // namespace

std::string GroupBody(const GroupOperands& operands, const GroupLayout& layout,
                      const std::vector<const Node*>& results, int lanes) {
  const std::string one = Statements(operands, layout, 1).Text(results);
  if (lanes == 1) {
    return absl::StrCat(Places(layout),
                        "const int j = get_global_id(0);\n"
                        "if (j >= inner) return;\n",
                        one);
  }
  return absl::Substitute(
      "$0int j = get_global_id(0) * $1;\n"
      "if (j + $1 <= inner) {\n$2return;\n}\n"
      "for (; j < inner; ++j) {\n$3}\n",
      Places(layout), lanes, Statements(operands, layout, lanes).Text(results),
      one);
}

}  // namespace dovetail::gpu
