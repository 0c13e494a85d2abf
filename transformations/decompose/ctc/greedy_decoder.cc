// CTCGreedyDecoder and CTCGreedyDecoderSeqLen. N sequences, T steps, C classes.
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/ctc/ctc_greedy_decoder.h"
#include "dovetail/transformations/decompose/ctc/rules.h"

namespace dovetail {
namespace {

// The class with the best score at each step, the first of equal ones: i64
// [N, T] for scores [N, T, C].
Value BestClasses(NodeBuilder& b, Value scores) {
  const int64_t axis = 2;
  const std::vector<Value> best = b.MakeAllLike(
      "TopK", {scores, b.Int(1)},
      {{"axis", axis},
       {"mode", std::string("max")},
       {"sort", std::string("value")},
       {"stable", true},
       {"index_element_type", ElementType::kI64}});
  return best.size() == 2 ? b.Squeeze(best[1], {2}) : Value{};
}

struct Decoded {
  Value classes;  // i64 [N, T], -1 behind the last
  Value counts;   // i64 [N]
};

// Whether a class stays: it is no blank, and, when asked, not that of the step
// before.
Value IsKept(NodeBuilder& b, Value best, Value counts, Value blank,
             bool merge_repeated) {
  const Value kept = b.Make(
      "LogicalAnd", {counts, b.Binary("NotEqual", best, blank)});
  if (!merge_repeated) return kept;
  const Value none =
      b.Broadcast(b.Int(-1), b.Concat({b.Dim(best, 0), b.Ints({1})}));
  const Value all = b.Concat({none, best}, 1);
  const Value before = b.Slice(all, 1, 0, -1);
  return b.Make("LogicalAnd", {kept, b.Binary("NotEqual", best, before)});
}

// `counts` says which steps belong to the sequence, [N, T]. What stays goes to
// the place that the number of those before it says, the rest to a place behind
// all, which is cut off.
Decoded Decode(NodeBuilder& b, Value best, Value counts, Value blank,
               bool merge_repeated) {
  const Value kept = b.Convert(
      IsKept(b, best, counts, blank, merge_repeated), ElementType::kI64);
  const Value time = b.Dim(best, 1);
  const Value before =
      b.Make("CumSum", {kept, b.Int(1)}, {{"exclusive", true}});
  const Value place =
      b.Select(b.Binary("Equal", kept, 1.0), before, time);
  const Value none =
      b.Broadcast(b.Int(-1), b.Concat({b.Dim(best, 0), b.Add(time, 1.0)}));
  const Value all = b.Make("ScatterElementsUpdate",
                           {none, place, best, b.Int(1)});
  return {b.Slice(all, 1, 0, -1),
          b.Reduce("ReduceSum", kept, {1}, false)};
}

// The sequence ends at the first step that is masked out.
Replacement GreedyDecoder(NodeBuilder& b, const Node& node) {
  const Value scores = b.input(0);
  if (!scores.shape().rank_known()) return {};
  const Value mask = b.Transpose(b.input(1), {1, 0});
  const Value ends =
      b.Convert(b.Binary("Equal", mask, 0.0), ElementType::kI64);
  const Value counts =
      b.Binary("Equal", b.Make("CumSum", {ends, b.Int(1)}), 0.0);
  const Value blank =
      b.Subtract(b.ReshapeTo(b.Dim(scores, 2), {}), 1.0);
  const Decoded decoded =
      Decode(b, BestClasses(b, b.Transpose(scores, {1, 0, 2})), counts, blank,
             node.As<CtcGreedyDecoderAttributes>()->ctc_merge_repeated);
  return {b.Unsqueeze(b.Convert(decoded.classes, scores.type()), {2, 3})};
}

Replacement GreedyDecoderSeqLen(NodeBuilder& b, const Node& node) {
  const Value scores = b.input(0);
  if (!scores.shape().rank_known()) return {};
  const Value lengths =
      b.Unsqueeze(b.Convert(b.input(1), ElementType::kI64), {1});
  const Value counts =
      b.Binary("Less", b.Counting(b.Dim(scores, 1)), lengths);
  const Value blank =
      b.input(2) ? b.Convert(b.ReshapeTo(b.input(2), {}), ElementType::kI64)
                 : b.Subtract(b.ReshapeTo(b.Dim(scores, 2), {}), 1.0);
  const Decoded decoded =
      Decode(b, BestClasses(b, scores), counts, blank,
             node.As<CtcGreedyDecoderSeqLenAttributes>()->merge_repeated);
  return {b.Convert(decoded.classes, node.port(0).type),
          b.Convert(decoded.counts, node.port(1).type)};
}

constexpr absl::string_view kFormula = "TopK, without blanks and repetitions";

constexpr NodeRule kRules[] = {
    {"CTCGreedyDecoder", 0, kFormula, &GreedyDecoder},
    {"CTCGreedyDecoderSeqLen", 6, kFormula, &GreedyDecoderSeqLen},
};

}  // namespace

absl::Span<const NodeRule> CtcDecompositions() { return kRules; }

}  // namespace dovetail
