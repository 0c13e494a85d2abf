#include "dovetail/backends/cpu/onednn/post_op.h"

#include <algorithm>
#include <utility>

namespace dovetail::cpu {
namespace {

bool AreEqual(const std::vector<float>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](float x) { return x == numbers[0]; });
}

}  // namespace

PostOp PostOp::Eltwise(dnnl::algorithm algorithm, float alpha, float beta) {
  PostOp op;
  op.algorithm = algorithm;
  op.alpha = alpha;
  op.beta = beta;
  return op;
}

PostOp PostOp::Binary(dnnl::algorithm algorithm, std::vector<float> numbers) {
  PostOp op;
  op.kind = Kind::kBinary;
  op.algorithm = algorithm;
  op.numbers = std::move(numbers);
  return op;
}

void AppendLinear(const std::vector<float>& scale,
                  const std::vector<float>& shift, std::vector<PostOp>& ops) {
  if (AreEqual(scale) && AreEqual(shift)) {
    if (scale[0] == 1 && shift[0] == 0) return;
    ops.push_back(
        PostOp::Eltwise(dnnl::algorithm::eltwise_linear, scale[0], shift[0]));
    return;
  }
  ops.push_back(PostOp::Binary(dnnl::algorithm::binary_mul, scale));
  if (!AreEqual(shift) || shift[0] != 0) {
    ops.push_back(PostOp::Binary(dnnl::algorithm::binary_add, shift));
  }
}

}  // namespace dovetail::cpu
