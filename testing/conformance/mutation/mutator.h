// Makes hostile models and inputs from sound ones.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATOR_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATOR_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/testing/conformance/mutation/random.h"

namespace dovetail {

// What is run: a model and a tensor for each of its parameters.
struct Subject {
  std::unique_ptr<Model> model;
  std::vector<Tensor> inputs;

  Subject Clone() const { return {model->Clone(), inputs}; }
};

// Changes the subject in one to four ways: elements, shapes and types of inputs
// and of constants, attributes, how much of a shape is known, which inputs a
// node has, what is a constant and what an input, how bodies are bound. Types
// and shapes are not inferred anew. Everything could be in a file, but for
// sizes, which stay small, so that a run takes no time.
//
// Answers what has been changed, for whoever looks at a finding.
std::string Mutate(Random& random, Subject& subject);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATOR_H_
