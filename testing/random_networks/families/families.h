// The families of blocks that random networks are made of. Each function adds a
// random block of its family to what is there, or nothing, when there is no
// value that it could use.
#ifndef DOVETAIL_TESTING_RANDOM_NETWORKS_FAMILIES_FAMILIES_H_
#define DOVETAIL_TESTING_RANDOM_NETWORKS_FAMILIES_FAMILIES_H_

#include <string>

#include "dovetail/testing/random_networks/network_writer.h"

namespace dovetail::random_networks {

// Inputs: images (of f32, f16 or u8), sequences, tokens that choose rows of a
// table.
void AddInput(NetworkWriter& writer);

// Convolutions, pooling, resizing: what changes rows and columns.
void AddWindow(NetworkWriter& writer);
// Concatenation, splits and exchange of channels, attention over them.
void AddChannels(NetworkWriter& writer);
// Convolutions and products of weights of 8 bits, between FakeQuantize.
void AddQuantized(NetworkWriter& writer);
// Elementwise operations, for images and sequences.
void AddElementwise(NetworkWriter& writer);
// Normalization and reductions, for images and sequences.
void AddNormalization(NetworkWriter& writer);
// Matrix products, of f32 and compressed weights (f16, codes of 2 to 8 bits).
void AddProduct(NetworkWriter& writer);
// Scaled dot-product attention, as an operation or said by others.
void AddAttention(NetworkWriter& writer);
// Steps in another order, images as sequences.
void AddMovement(NetworkWriter& writer);
// LSTMSequence, GRUSequence, RNNSequence.
void AddRecurrence(NetworkWriter& writer);
// If, Loop, TensorIterator.
void AddBody(NetworkWriter& writer);
// ReadValue and Assign.
void AddState(NetworkWriter& writer);
// Extents that depend on data, and what goes on behind them.
void AddDataShape(NetworkWriter& writer);

// `value` through a random operation of one input, which keeps numbers small.
std::string Activation(NetworkWriter& writer, const std::string& value);

}  // namespace dovetail::random_networks

#endif  // DOVETAIL_TESTING_RANDOM_NETWORKS_FAMILIES_FAMILIES_H_
