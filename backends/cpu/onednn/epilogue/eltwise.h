// Operations that oneDNN calls element-wise: functions of one variable.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_ELTWISE_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_ELTWISE_H_

#include <optional>

#include "dovetail/core/graph/node.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

struct Eltwise {
  dnnl::algorithm algorithm = dnnl::algorithm::undef;
  float alpha = 0, beta = 0;
};

// What `node`, of f32, does with each element of its first input: an activation
// function whose other operands, if any, are constants of one element. Nothing
// for functions that oneDNN does not have or whose results would not be as
// exact.
std::optional<Eltwise> EltwiseOf(const Node& node);
// Whether it is one of them.
bool HasEltwise(const Node& node);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_ELTWISE_H_
