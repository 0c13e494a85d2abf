// For tests of the interpreter: from a model's text to a request.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_TESTING_COMPILE_H_
#define DOVETAIL_BACKENDS_INTERPRETER_TESTING_COMPILE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"

namespace dovetail {

const Plugin& Interpreter();

// The configuration with these values set and nothing from the environment, and
// a call with it.
Config ConfigOf(const PropertyMap& properties = {});
StandaloneCall CallOf(const PropertyMap& properties = {});

// The model of a text (core/ops/text/parse.h); fails the test, and gives an
// empty one, when there is an error.
std::unique_ptr<Model> ParseModel(absl::string_view text);

absl::StatusOr<std::shared_ptr<const Executable>> CompileText(
    absl::string_view text, const PropertyMap& properties = {});

// A request for a model that compiles; null, and the test fails, when not.
std::unique_ptr<Request> RequestFor(absl::string_view text,
                                    const PropertyMap& properties = {});

Tensor Floats(const Shape& shape, std::vector<double> values);

// The elements of an output; none, and the test fails, when there is an error.
std::vector<double> OutputOf(Request& request, int i = 0);

// Sets input 0, infers, and gives the elements of output 0.
std::vector<double> RunOn(Request& request, const Tensor& input);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_TESTING_COMPILE_H_
