// How much a whole network takes above its convolutions: ResNet-50 by this
// backend, and its 53 convolutions as bare primitives of oneDNN, each with its
// activation, on the same threads.
//
//   bazel run -c opt //backends/cpu/benchmarks:resnet50_benchmark
#include <benchmark/benchmark.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/cpu/benchmarks/resnet50.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/guard.h"
#include "dovetail/backends/cpu/onednn/stream.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/request/request.h"

namespace dovetail::cpu {
namespace {

// The configuration of `threads` threads and that precision.
absl::StatusOr<Config> MakeConfig(const Plugin& plugin, int64_t threads,
                                  bool bf16) {
  PropertyLayers layers;
  layers.read_environment = false;
  layers.call = {{"INFERENCE_NUM_THREADS", std::to_string(threads)},
                 {"INFERENCE_PRECISION_HINT", bf16 ? "bf16" : "f32"}};
  return Config::Resolve(plugin.properties(), layers);
}

absl::StatusOr<std::unique_ptr<Request>> MakeRequest(int64_t threads,
                                                     bool bf16) {
  static Plugin* const plugin = MakeCpuPlugin().value().release();
  DOVETAIL_ASSIGN_OR_RETURN(const Config config,
                            MakeConfig(*plugin, threads, bf16));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, MakeResNet50());
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                            plugin->Compile(std::move(model), StandaloneCall(config)));
  return Request::Create(std::move(executable));
}

void WholeNetwork(benchmark::State& state) {
  const auto request = MakeRequest(state.range(0), state.range(1) != 0);
  if (!request.ok()) {
    state.SkipWithError(request.status().ToString().c_str());
    return;
  }
  for (auto _ : state) {
    const absl::Status status = (*request)->Infer();
    if (!status.ok()) state.SkipWithError(status.ToString().c_str());
  }
}

// One convolution with memory of its own.
class BareConvolution {
 public:
  BareConvolution(const ResNetConvolution& layer, bool bf16) {
    using Tag = dnnl::memory::format_tag;
    const auto type = bf16 ? dnnl::memory::data_type::bf16
                           : dnnl::memory::data_type::f32;
    const int64_t pad = layer.kernel / 2;
    const int64_t out = (layer.size - 1) / layer.stride + 1;
    const dnnl::memory::desc source({1, layer.inputs, layer.size, layer.size},
                                    type, Tag::any);
    const dnnl::memory::desc weights(
        {layer.outputs, layer.inputs, layer.kernel, layer.kernel}, type,
        Tag::any);
    const dnnl::memory::desc bias({layer.outputs},
                                  dnnl::memory::data_type::f32, Tag::a);
    const dnnl::memory::desc target({1, layer.outputs, out, out}, type,
                                    Tag::any);
    dnnl::post_ops post;
    if (layer.adds) post.append_sum();
    if (layer.relu) post.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attr;
    attr.set_post_ops(post);
    const dnnl::convolution_forward::primitive_desc desc(
        CpuEngine(), dnnl::prop_kind::forward_inference,
        dnnl::algorithm::convolution_direct, source, weights, bias, target,
        {layer.stride, layer.stride}, {0, 0}, {pad, pad}, {pad, pad}, attr);
    primitive_ = dnnl::convolution_forward(desc);
    arguments_ = {{DNNL_ARG_SRC, Zeros(desc.src_desc())},
                  {DNNL_ARG_WEIGHTS, Zeros(desc.weights_desc())},
                  {DNNL_ARG_BIAS, Zeros(desc.bias_desc())},
                  {DNNL_ARG_DST, Zeros(desc.dst_desc())}};
  }

  void Run(dnnl::stream& stream) { primitive_.execute(stream, arguments_); }

 private:
  static dnnl::memory Zeros(const dnnl::memory::desc& desc) {
    dnnl::memory memory(desc, CpuEngine());
    auto* const bytes = static_cast<char*>(memory.get_data_handle());
    std::fill(bytes, bytes + desc.get_size(), 0);
    return memory;
  }

  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

void BareConvolutions(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  WorkTeam team(threads);
  const KernelEnvironment reference;
  RunEnvironment environment(&team, &reference);
  const absl::Status status = Guarded("the convolutions", [&] {
    SetPrimitiveThreads(threads);
    std::vector<BareConvolution> convolutions;
    for (const ResNetConvolution& layer : ResNet50Convolutions()) {
      convolutions.emplace_back(layer, state.range(1) != 0);
    }
    dnnl::stream& stream = StreamOf(environment);
    for (auto _ : state) {
      const WorkTeam::Session session(team);
      for (BareConvolution& convolution : convolutions) {
        convolution.Run(stream);
      }
    }
  });
  if (!status.ok()) state.SkipWithError(status.ToString().c_str());
}

void Arguments(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"threads", "bf16"});
  benchmark->ArgsProduct({{1, 2}, {0, 1}});
  benchmark->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(BareConvolutions)->Apply(Arguments);
BENCHMARK(WholeNetwork)->Apply(Arguments);

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
