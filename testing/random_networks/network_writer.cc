#include "dovetail/testing/random_networks/network_writer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail::random_networks {

NetworkWriter::NetworkWriter(unsigned seed) : generator_(seed) {
  is_dynamic_ = !OneIn(3);
  batch_is_dynamic_ = !OneIn(3);
  variants_.resize(is_dynamic_ ? kVariants : 1);
  const int64_t batch = From(1, 3);
  for (size_t i = 0; i < variants_.size(); ++i) {
    const int64_t other = OneIn(8) ? 0 : From(1, 4);
    batches_.push_back(batch_is_dynamic_ && is_dynamic_ ? other : batch);
  }
}

int NetworkWriter::From(int low, int high) {
  // The distributions of the standard library are not the same everywhere.
  return low + static_cast<int>(generator_() % (high - low + 1));
}

std::optional<Value> NetworkWriter::Pick(Kind kind) {
  std::vector<const Value*> found;
  for (const Value& value : values_) {
    if (value.kind == kind) found.push_back(&value);
  }
  if (found.empty()) return std::nullopt;
  const int last = static_cast<int>(found.size()) - 1;
  // Mostly the newest, so that networks become deep.
  return *found[OneIn(3) ? From(0, last) : last];
}

Value NetworkWriter::PickLike(const Value& value) {
  std::vector<const Value*> found;
  for (const Value& other : values_) {
    if (other.kind == value.kind && other.channels == value.channels &&
        other.extents == value.extents) {
      found.push_back(&other);
    }
  }
  if (found.empty()) return value;
  return *found[From(0, static_cast<int>(found.size()) - 1)];
}

std::string NetworkWriter::Input(absl::string_view type,
                                 const std::vector<Shape>& shape_of_variant) {
  const Shape& first = shape_of_variant[0];
  std::vector<std::string> extents;
  for (int axis = 0; axis < first.rank(); ++axis) {
    bool differs = false;
    for (size_t i = 0; i < variants_.size(); ++i) {
      differs |= shape_of_variant[i][axis] != first[axis];
    }
    // Also unknown are some that happen to stay the same.
    const bool unknown = differs || (is_dynamic_ && axis != 1 && OneIn(2));
    extents.push_back(unknown ? "?" : absl::StrCat(first[axis]));
  }
  for (size_t i = 0; i < variants_.size(); ++i) {
    variants_[i].push_back(shape_of_variant[i]);
  }
  return Node("Parameter-0", {},
              absl::StrCat("shape: [", absl::StrJoin(extents, ","),
                           "], element_type: ", type));
}

std::string NetworkWriter::Node(absl::string_view operation,
                                const std::vector<std::string>& inputs,
                                absl::string_view attributes,
                                absl::string_view bodies) {
  const std::string name = absl::StrCat("%n", next_name_++);
  absl::StrAppend(&text_, name, " = ", operation, "(",
                  absl::StrJoin(inputs, ", "), ") {", attributes, "}\n",
                  bodies);
  return name;
}

std::string NetworkWriter::Weights(const Shape& shape, absl::string_view type) {
  const std::string name = absl::StrCat("%n", next_name_++);
  absl::StrAppend(&text_, name, " = Parameter-0() {shape: ", shape.ToString(),
                  ", element_type: ", type, "}  # constant_small\n");
  return name;
}

std::string NetworkWriter::FloatsText(const Shape& shape, double limit) {
  std::vector<std::string> values;
  int64_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) count *= shape[axis];
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(absl::StrCat(From(-1000, 1000) * limit / 1000));
  }
  return absl::StrCat("value: f32", shape.ToString(), " {",
                      absl::StrJoin(values, ", "), "}");
}

std::string NetworkWriter::Floats(const Shape& shape, double limit) {
  return Node("Constant-0", {}, FloatsText(shape, limit));
}

std::string NetworkWriter::Scalar(double value) {
  return Node("Constant-0", {}, absl::StrCat("value: f32[] {", value, "}"));
}

std::string NetworkWriter::Integers(const std::vector<int64_t>& values) {
  return Node("Constant-0", {},
              absl::StrCat("value: i64[", values.size(), "] {",
                           absl::StrJoin(values, ", "), "}"));
}

std::string NetworkWriter::Integer(int64_t value) {
  return Node("Constant-0", {}, absl::StrCat("value: i64[] {", value, "}"));
}

std::string NetworkWriter::ExtentsOf(const std::string& value,
                                     const std::vector<int64_t>& axes) {
  const std::string shape = Node("ShapeOf-3", {value}, "output_type: i64");
  return Node("Gather-8", {shape, Integers(axes), Integer(0)}, "batch_dims: 0");
}

void NetworkWriter::Keep(const Value& value) {
  values_.push_back(value);
  if (OneIn(5)) results_.push_back(value.name);
}

int NetworkWriter::ExtentsAfter(int extents, const std::string& operation) {
  const auto [found, is_new] =
      extents_.try_emplace({extents, operation}, next_extents_);
  if (is_new) ++next_extents_;
  return found->second;
}

std::string NetworkWriter::Finish() {
  if (!values_.empty()) results_.push_back(values_.back().name);
  // The same value may be several results.
  if (OneIn(4) && !results_.empty()) results_.push_back(results_[0]);
  for (const std::string& name : results_) Node("Result-0", {name});
  return text_;
}

}  // namespace dovetail::random_networks
