// A language model that keeps its keys and values in variables writes tokens
// one by one, each the most probable one: every inference has shapes that no
// inference had before. Prints the median times of quarters of the tokens and
// the tokens' sum, which tells whether two programs wrote the same.
//
//   bazel run //bench/decoding -- MODEL.xml TOKENS [PROPERTY=VALUE]...
//
// Inputs are those that Optimum exports: input_ids and position_ids of
// [batch, new tokens], attention_mask of [batch, all tokens], perhaps beam_idx.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/bench/common/properties.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kPrompt = 6;

absl::StatusOr<Tensor> Numbers(int64_t count, int64_t first, int64_t step) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(ElementType::kI64, {1, count}));
  for (int64_t& number : tensor.mutable_span<int64_t>()) {
    number = first;
    first += step;
  }
  return tensor;
}

absl::Status SetIfThere(InferRequest& request, absl::string_view input,
                        const Tensor& tensor) {
  const absl::Status status = request.SetInput(input, tensor);
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

// The next token behind `past` ones and new ones.
absl::StatusOr<int64_t> Infer(InferRequest& request, const Tensor& tokens,
                              int64_t past) {
  const int64_t count = tokens.shape()[1];
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor mask, Numbers(past + count, 1, 0));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor positions, Numbers(count, past, 1));
  DOVETAIL_RETURN_IF_ERROR(request.SetInput("input_ids", tokens));
  DOVETAIL_RETURN_IF_ERROR(request.SetInput("attention_mask", mask));
  DOVETAIL_RETURN_IF_ERROR(SetIfThere(request, "position_ids", positions));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor beam,
                            Tensor::Allocate(ElementType::kI32, {1}));
  DOVETAIL_RETURN_IF_ERROR(SetIfThere(request, "beam_idx", beam));
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor logits, request.Output(0));
  if (logits.type() != ElementType::kF32 || logits.shape().Count() == 0) {
    return InvalidArgument("output 0 is ", ElementTypeName(logits.type()),
                           logits.shape().ToString(),
                           ", not f32 numbers of each token");
  }
  const auto all = logits.span<float>();
  const auto last = all.subspan(all.size() - logits.shape().back());
  return std::max_element(last.begin(), last.end()) - last.begin();
}

absl::Status Run(const std::string& path, int64_t count,
                 absl::Span<char* const> properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap config, PropertiesOf(properties));
  const Core core;
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel model,
                            core.Compile(path, "CPU", config));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, model.NewRequest());
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tokens, Numbers(kPrompt, 1, 1));
  DOVETAIL_ASSIGN_OR_RETURN(int64_t token, Infer(request, tokens, 0));
  std::vector<double> times;
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(tokens, Numbers(1, token, 0));
    const auto begin = Clock::now();
    DOVETAIL_ASSIGN_OR_RETURN(token, Infer(request, tokens, kPrompt + i));
    times.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - begin)
            .count());
    sum += token;
  }
  std::printf("ms a token:");
  for (int quarter = 0; quarter < 4; ++quarter) {
    const auto from = times.begin() + quarter * count / 4;
    const auto to = times.begin() + (quarter + 1) * count / 4;
    std::nth_element(from, from + (to - from) / 2, to);
    std::printf(" %.3f", *(from + (to - from) / 2));
  }
  std::printf(", sum of tokens %lld\n", static_cast<long long>(sum));
  return absl::OkStatus();
}

int Usage() {
  std::fprintf(stderr,
               "usage: decoding MODEL.xml TOKENS [PROPERTY=VALUE]...; at least "
               "4 tokens\n");
  return 2;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 3 || std::atoll(argv[2]) < 4) return dovetail::Usage();
  const absl::Status status = dovetail::Run(
      argv[1], std::atoll(argv[2]), absl::MakeConstSpan(argv + 3, argv + argc));
  if (status.ok()) return 0;
  std::fprintf(stderr, "decoding: %s\n", std::string(status.message()).c_str());
  return 1;
}
