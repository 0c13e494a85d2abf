// The values of a model that could be integers, and those that are of use: an
// integer is worth making only where a linear operation computes with it.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_INTEGER_FLOW_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_INTEGER_FLOW_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {

struct LowPrecisionOptions {
  // Whether the backend computes that linear operation faster with i8 than with
  // u8 and a zero point. Values of symmetric ranges become i8 where all that
  // multiply them are. (The second factors of matrix products are i8 in any
  // case.) Without it, none.
  std::function<bool(const Node& linear)> prefers_signed;
  // Whether values of different quantization parameters that are concatenated
  // get common ones, at the cost of some precision (see align_quantization.h).
  bool align_quantization = true;
  // Whether the backend computes that linear operation with integers, if its
  // data and weights can be some. Asked while both are still floats or what
  // they are dequantized from. Without it, all of them.
  std::function<bool(const Node& linear)> takes_integers;

  // Whether the backend computes that operation, which is no linear one, from
  // integers as well as from floats. What is quantized for such operations
  // alone, and has to be stored for them, becomes integers, too, which are a
  // quarter as long. Without it, none.
  std::function<bool(const Node& reader)> reads_integers;

  bool TakesIntegers(const Node& linear) const {
    return takes_integers == nullptr || takes_integers(linear);
  }
  bool PrefersSigned(const Node& linear) const {
    return prefers_signed != nullptr && prefers_signed(linear);
  }
  bool ReadsIntegers(const Node& reader) const {
    return reads_integers != nullptr && reads_integers(reader);
  }
};

// A snapshot: values are found as long as their nodes stay in the model.
class IntegerFlow {
 public:
  struct Entry {
    QuantizationParams params;
    // Whether it can be i8 (again) without a zero point.
    bool can_be_signed = false;
    // Whether integer linear operations need it as integers, and as i8; or,
    // the former, whether it is stored for others that read integers.
    bool is_wanted = false;
    bool is_wanted_signed = false;
    // Whether one of those that compute with it would rather have it as u8, or
    // as i8.
    bool is_better_unsigned = false;
    bool is_better_signed = false;

    // What a FakeQuantize is to give.
    bool is_signed() const {
      return is_wanted_signed || params.type == ElementType::kI8 ||
             (can_be_signed && is_better_signed && !is_better_unsigned);
    }
    // Adds what is wanted of another value that is made of this one.
    void WantAs(const Entry& other);
  };

  // Looks at one model or body. Linear operations count that AcceptsData() and
  // MatchIntegerWeights() say can be of integers, and that the options take.
  static absl::StatusOr<IntegerFlow> Of(const Model& model,
                                        const LowPrecisionOptions& options);

  // Null for values that can't be integers.
  const Entry* Find(Value value) const;
  // The model's nodes in topological order when the snapshot was made.
  const std::vector<Node*>& order() const { return order_; }

 private:
  explicit IntegerFlow(const LowPrecisionOptions& options)
      : options_(options) {}

  Entry* Find(Value value);
  void FindParams(Node& node);
  std::optional<Entry> EntryBehind(const Node& node) const;
  std::optional<Entry> EntryOfFakeQuantize(const Node& node) const;
  void Want(const Node& node);
  void WantFactors(const Node& matmul);
  void WantInputs(Node& node);
  bool IsStored(const Node& node) const;
  bool IsBehindLinear(const Node& node, int depth) const;
  bool IsBefore(const Node& node, Value value) const;

  LowPrecisionOptions options_;
  std::vector<Node*> order_;
  std::map<int64_t, size_t> places_;  // in `order_`, by node's id
  std::map<std::pair<int64_t, int>, Entry> entries_;  // by node's id and output
};

// The quantization parameters of a range that includes all of these, which
// leaves fewer levels to each. Nothing when that is too few, and for parameters
// that are per channel or not u8.
std::optional<QuantizationParams> CommonParams(
    const std::vector<QuantizationParams>& all_params);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_ANALYSIS_INTEGER_FLOW_H_
