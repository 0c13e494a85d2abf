// Kernels of a user's own for the SHAVEs of a vision processor, as a
// configuration of the type "MVCL" describes them.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_SHAVE_LAYER_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_SHAVE_LAYER_H_

#include <string>
#include <utility>
#include <vector>

#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail {

// How a tensor lies in memory. Without B the kernel runs once for each image of
// a batch, and so it does with BFYX and BYXF of four axes; kAny is whatever the
// tensor has, the batch in it.
enum class ShaveFormat { kBfyx, kByxf, kFyx, kYxf, kBf, kAny };

// Whose sizes B, F, Y and X are in an expression.
struct ShaveDim {
  bool is_output = false;
  int port = 0;
};

// One argument of a kernel, by the name that its source gives it.
struct ShaveArgument {
  enum class Kind {
    kInput,
    kOutput,
    kInputBuffer,   // what an earlier kernel of the layer wrote
    kOutputBuffer,  // for a later one
    kLocal,         // memory of a work group
    kData,          // an input that is constant, by its name
    kInt,
    kFloat,
  };
  std::string name;
  Kind kind = Kind::kInput;
  int port = 0;  // of the layer; of buffers a number that links them
  ShaveFormat format = ShaveFormat::kBfyx;
  std::string size;  // of buffers and local memory, in bytes: an expression
  ShaveDim dim;      // of `size`
  // Of data: "weights" for the first input that is constant, "biases" for the
  // second, the name of one, or the input's number. Of numbers: an attribute, "I.X" or "O.F" for the size of a tensor, or the
  // number itself. `port` is the tensor, or the element of a list; -1: none.
  std::string source;
  std::string where;  // "kernels.xml:12"
};

// The kernels of a layer run one behind another.
struct ShaveKernel {
  std::string entry;
  int max_shaves = 0;  // 0: all
  std::vector<CustomSource> sources;
  std::vector<ShaveArgument> arguments;
  ShaveDim dim;                            // of the work sizes
  std::vector<std::string> global, local;  // expressions, one to three each
  std::string where;
};

struct ShaveLayer {
  std::string name;  // the operation's type, in any case of letters
  // Restrictions on attributes, all of which must hold: {"kernel", "3,3"},
  // {"group", ">=2"}.
  std::vector<std::pair<std::string, std::string>> where_parameters;
  std::vector<ShaveKernel> kernels;  // in the order in which they run
  std::string where;
};

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_SHAVE_SHAVE_LAYER_H_
