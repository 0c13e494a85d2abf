// Elements by their number in C order, for rules that make one flat axis of
// several.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_FLAT_INDEX_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_FLAT_INDEX_H_

#include <cstdint>
#include <vector>

#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// Indices as i64, those that count from the end of `extent` elements (a vector
// of one, or one extent for each of the last axis) as positive ones.
Value FromBeginning(NodeBuilder& b, Value indices, Value extent);

// How many elements of `shape`, a vector, one step along axis `axis` passes: a
// vector of one.
Value StrideOf(NodeBuilder& b, Value shape, int axis);

// For indices along `axis`, of a rank, into data of shape `data`, what
// GatherElements and ScatterElementsUpdate read or write: its number. Elements
// of other axes are at the place that the index itself has.
Value ElementNumbers(NodeBuilder& b, Value indices, Value data, int rank,
                     int axis);

// The order of axes that brings `axis` to place `to`, the others in order.
std::vector<int64_t> MoveAxis(int rank, int axis, int to);
// x itself when nothing changes.
Value InOrder(NodeBuilder& b, Value x, const std::vector<int64_t>& order);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_INDEXING_FLAT_INDEX_H_
