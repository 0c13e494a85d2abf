// Writes a random network in text form (core/ops/text/parse.h), block by block.
#ifndef DOVETAIL_TESTING_RANDOM_NETWORKS_NETWORK_WRITER_H_
#define DOVETAIL_TESTING_RANDOM_NETWORKS_NETWORK_WRITER_H_

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::random_networks {

// What blocks read and write: f32 of [batch, channels, rows, columns] or of
// [batch, steps, channels]. All values of a network have the same batch.
enum class Kind { kImage, kSequence };

struct Value {
  std::string name;  // "%n7"
  Kind kind = Kind::kImage;
  int64_t channels = 0;
  // Which rows and columns, or steps: values with the same number, and of the
  // same kind, have the same extents.
  int extents = 0;
};

// Everything it chooses follows from the seed, so that a network of fewer
// blocks is the beginning of one with more.
class NetworkWriter {
 public:
  // The shapes of inputs that a network is run with.
  static constexpr int kVariants = 3;

  explicit NetworkWriter(unsigned seed);

  // ---- Choices ----

  int From(int low, int high);  // both included
  bool OneIn(int n) { return From(1, n) == 1; }
  const std::string& OneOf(const std::vector<std::string>& choices) {
    return choices[From(0, static_cast<int>(choices.size()) - 1)];
  }
  // A value that is there, of any block before; none of this kind: nothing.
  std::optional<Value> Pick(Kind kind);
  // The same among those of the shape of `value`; itself at worst.
  Value PickLike(const Value& value);

  // ---- Nodes ----

  // An input of the network with `shape` for each variant. Extents that are to
  // be unknown are so in the text; see `is_dynamic`.
  std::string Input(absl::string_view type,
                    const std::vector<Shape>& shape_of_variant);
  // The batch of a variant, and other extents for all of them.
  int64_t batch(int variant) const { return batches_[variant]; }

  // "Softmax-8", {"%n1"}, "axis: 1": the name of its first output.
  std::string Node(absl::string_view operation,
                   const std::vector<std::string>& inputs,
                   absl::string_view attributes = "",
                   absl::string_view bodies = "");
  // A large constant: small random numbers where the type is a float.
  std::string Weights(const Shape& shape, absl::string_view type = "f32");
  // f32 from -limit to limit, and i64, written out; also for bodies.
  std::string Floats(const Shape& shape, double limit);
  std::string FloatsText(const Shape& shape, double limit);
  std::string Scalar(double value);
  std::string Integers(const std::vector<int64_t>& values);
  std::string Integer(int64_t value);
  // Some extents of a value, as i64.
  std::string ExtentsOf(const std::string& value,
                        const std::vector<int64_t>& axes);

  // ---- Values ----

  // Lets later blocks use it, and may make it a result.
  void Keep(const Value& value);
  void Keep(const Value& like, const std::string& name) {
    Keep(Value{name, like.kind, like.channels, like.extents});
  }
  // Whether a block may make values larger: so often, and no more.
  bool MayGrow() { return growth_left_-- > 0; }
  // The number of the extents that an operation, described in a few words,
  // makes of others.
  int ExtentsAfter(int extents, const std::string& operation);
  int NewExtents() { return next_extents_++; }

  // ---- The network ----

  // Adds results: the last value, and those that were chosen.
  std::string Finish();
  // The shapes of all inputs for each variant; only the first when the network
  // is static.
  const std::vector<std::vector<Shape>>& variants() const { return variants_; }

 private:
  std::mt19937 generator_;
  bool is_dynamic_, batch_is_dynamic_;
  std::vector<int64_t> batches_;
  std::string text_;
  std::vector<Value> values_;
  std::vector<std::string> results_;
  std::vector<std::vector<Shape>> variants_;
  std::map<std::pair<int, std::string>, int> extents_;
  int next_name_ = 0, next_extents_ = 0;
  int growth_left_ = 2;
};

}  // namespace dovetail::random_networks

#endif  // DOVETAIL_TESTING_RANDOM_NETWORKS_NETWORK_WRITER_H_
