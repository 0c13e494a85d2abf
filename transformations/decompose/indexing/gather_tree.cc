// GatherTree.
#include <cstdint>
#include <vector>

#include "dovetail/transformations/common/iteration_builder.h"
#include "dovetail/transformations/decompose/indexing/rules.h"

namespace dovetail {
namespace {

Value ElementsAlongBeams(NodeBuilder& b, Value x, Value beam) {
  const int64_t axis = 2;
  return b.Make("GatherElements", {x, beam}, {{"axis", axis}});
}

// From the last step back: what each sequence has at a step, [T, B, W], end
// tokens past its length.
Value FollowBeams(NodeBuilder& b, Value end_token) {
  const Value steps = b.input(0);
  const Value beams = b.Counting(b.Dim(steps, 2));
  const Value shape = b.Concat({b.Ints({1}), b.Dims(steps, 1, 3)});
  // Whether a step counts: [T, B, 1].
  const Value counts = b.Binary(
      "Less",
      b.ReshapeTo(b.Convert(b.Counting(b.Dim(steps, 0)), steps.type()),
                  {-1, 1, 1}),
      b.ReshapeTo(b.input(2), {1, -1, 1}));
  IterationBuilder loop(b);
  NodeBuilder& body = loop.body();
  const Value tokens = loop.Part(steps, 0, /*backwards=*/true);
  const Value parents = loop.Part(
      b.Convert(b.input(1), ElementType::kI64), 0, /*backwards=*/true);
  const Value mask = loop.Part(counts, 0, /*backwards=*/true);
  const Value beam = loop.State(b.Broadcast(beams, shape));
  const Value end = loop.Whole(end_token);
  const Value parent = ElementsAlongBeams(body, parents, beam);
  loop.SetNext(beam, body.Select(mask, parent, beam));
  loop.ConcatOutput(
      body.Select(mask, ElementsAlongBeams(body, tokens, beam), end), 0,
      /*backwards=*/true);
  return loop.Finish()[1];
}

// What follows the first end token is end tokens.
Replacement GatherTree(NodeBuilder& b, const Node&) {
  const PartialShape& shape = b.input(0).shape();
  if (!shape.rank_known() || shape[0].min() < 1) return {};
  const Value end_token = b.ReshapeTo(b.input(3), {});
  const Value tokens = FollowBeams(b, end_token);
  const Value ends = b.Convert(b.Binary("Equal", tokens, end_token),
                               ElementType::kI32);
  const Value before =
      b.Make("CumSum", {ends, b.Int(0)}, {{"exclusive", true}});
  return {b.Select(b.Binary("Greater", before, 0.0), end_token, tokens)};
}

constexpr NodeRule kRules[] = {
    {"GatherTree", 1, "a TensorIterator from the last step back",
     &GatherTree},
};

}  // namespace

absl::Span<const NodeRule> GatherTreeDecompositions() { return kRules; }

}  // namespace dovetail
