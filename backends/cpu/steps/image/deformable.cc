#include "dovetail/backends/cpu/steps/image/deformable.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/kernels/image/deformable_columns.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/ops/convolution/deformable_convolution.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);
constexpr int64_t kLine = 64 / kFloatBytes;

// Of a whole convolution. Sums of a group's outputs are products of the pixels'
// columns with the group's weights.
struct Deformable {
  host::DeformableShape window;
  int64_t batch = 1;
  int64_t outputs = 1;  // channels, of all groups

  int64_t group_outputs() const { return outputs / window.groups; }
  int64_t depth() const { return window.group_channels() * window.taps(); }
  int64_t group_panels() const { return GemmPanels(group_outputs()); }
  int64_t panels() const { return window.groups * group_panels(); }
  int64_t panel_size() const { return depth() * GemmPanelWidth(); }
  int64_t weights_size() const { return panels() * panel_size(); }
  int64_t zeros_size() const {
    return CeilDivide(window.channels / window.offset_groups, kLine) * kLine;
  }
};

// One of all groups' panels, in the order of columns: tap by tap. `weights`
// are {outputs, channels of a group, taps}.
void PackPanel(const Deformable& shape, const float* weights, int64_t panel,
               float* packed) {
  const int64_t taps = shape.window.taps(), width = GemmPanelWidth();
  const int64_t channels = shape.window.group_channels();
  const int64_t group = panel / shape.group_panels();
  const int64_t first = panel % shape.group_panels() * width;
  const int64_t count = std::min(width, shape.group_outputs() - first);
  const float* from =
      weights + (group * shape.group_outputs() + first) * shape.depth();
  float* to = packed + panel * shape.panel_size();
  for (int64_t tap = 0; tap < taps; ++tap) {
    for (int64_t c = 0; c < channels; ++c, to += width) {
      for (int64_t i = 0; i < count; ++i) {
        to[i] = from[i * shape.depth() + c * taps + tap];
      }
      std::fill(to + count, to + width, 0.0f);
    }
  }
}

// Runs of pixels that a thread samples and multiplies at a time.
struct PixelRuns {
  PixelRuns(const Deformable& shape, int threads, int64_t l2_bytes) {
    // Their columns stay in half of the cache.
    const int64_t most = std::clamp<int64_t>(
        l2_bytes / 2 / kFloatBytes / shape.window.column_size(), 24,
        kGemmRowsAtATime);
    // Parts for each thread, so that they end together.
    constexpr int64_t kPartsOfThread = 4;
    const int64_t all = shape.window.pixels();
    const int64_t parts =
        std::max(CeilDivide(all, most),
                 CeilDivide(kPartsOfThread * threads, shape.batch));
    pixels =
        CeilDivide(CeilDivide(all, parts), GemmTileRows()) * GemmTileRows();
    pixels = std::min({pixels, all, kGemmRowsAtATime});
    of_image = CeilDivide(all, pixels);
    count = shape.batch * of_image;
  }
  int64_t pixels, of_image, count;
};

// Inputs: data, channels last; offsets; weights; mask or none.
class DeformableStep : public Step {
 public:
  DeformableStep(const Deformable& shape, const PixelRuns& runs, int threads,
                 bool packs)
      : shape_(shape),
        runs_(runs),
        columns_size_(
            CeilDivide(runs.pixels * shape.window.column_size(), kLine) *
            kLine),
        workers_(static_cast<int>(std::min<int64_t>(threads, runs.count))),
        packs_(packs) {}

  // Zeros, weights if these are packed in each run, and columns of each thread.
  int64_t scratch_bytes() const {
    return (shape_.zeros_size() + packed_size() + workers_ * columns_size_) *
           kFloatBytes;
  }

  absl::Status Run(const StepRun& run) const override {
    WorkTeam& team = run.environment->team();
    auto* const zeros = static_cast<float*>(run.scratch);
    float* const packed = zeros + shape_.zeros_size();
    float* const columns = packed + packed_size();
    std::fill(zeros, packed, 0.0f);
    const float* weights = run.input<float>(2);
    if (packs_) {
      ParallelFor(team, shape_.panels(), 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          PackPanel(shape_, weights, i, packed);
        }
      });
      weights = packed;
    }
    std::atomic<int64_t> next = 0;
    team.Run(workers_, [&](int worker) {
      for (;;) {
        const int64_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= runs_.count) break;
        RunPixels(run, i, weights, columns + worker * columns_size_);
      }
    });
    return absl::OkStatus();
  }

 private:
  int64_t packed_size() const { return packs_ ? shape_.weights_size() : 0; }

  void RunPixels(const StepRun& run, int64_t index, const float* weights,
                 float* columns) const {
    const host::DeformableShape& window = shape_.window;
    const int64_t batch = index / runs_.of_image;
    const int64_t first = index % runs_.of_image * runs_.pixels;
    const int64_t count = std::min(runs_.pixels, window.pixels() - first);
    const int64_t offsets =
        batch * window.offset_groups * window.taps() * window.pixels();
    host::DeformableImage image;
    image.data = run.input<float>(0) +
                 batch * window.y.input * window.x.input * window.channels;
    image.offsets = run.input<float>(1) + 2 * offsets;
    if (run.inputs[3] != nullptr) image.mask = run.input<float>(3) + offsets;
    image.zeros = static_cast<const float*>(run.scratch);
    host::SampleColumns(window, image, first, count, columns);
    Multiply(columns, count, weights,
             run.output<float>() +
                 (batch * window.pixels() + first) * shape_.outputs);
  }

  void Multiply(const float* columns, int64_t count, const float* weights,
                float* out) const {
    GemmProblem problem;
    problem.rows = count;
    problem.depth = shape_.depth();
    problem.columns = shape_.group_outputs();
    problem.c_stride = shape_.outputs;
    for (int64_t group = 0; group < shape_.window.groups; ++group) {
      problem.a = {columns + group * shape_.depth(),
                   shape_.window.column_size(), 1};
      problem.packed_b =
          weights + group * shape_.group_panels() * shape_.panel_size();
      problem.c = out + group * shape_.group_outputs();
      RunGemm(problem, 0, count, 0, shape_.group_panels());
    }
  }

  const Deformable shape_;
  const PixelRuns runs_;
  const int64_t columns_size_;  // of a thread
  const int workers_;
  const bool packs_;
};

Deformable ShapeOf(const Node& node) {
  const auto& attributes = DeformableAttributesOf(node);
  const auto* newer = node.As<DeformableConvolution8Attributes>();
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape kernel = PlanBuilder::ShapeOf(node.input(2));
  const Shape output = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  Deformable shape;
  shape.batch = data[0];
  shape.outputs = output[1];
  shape.window.channels = data[1];
  shape.window.groups = attributes.group;
  shape.window.offset_groups = attributes.deformable_group;
  shape.window.blends_with_zeros =
      newer != nullptr && newer->bilinear_interpolation_pad;
  shape.window.y =
      ResolveWindow(attributes.window, 0, data[2], kernel[2], output[2]);
  shape.window.x =
      ResolveWindow(attributes.window, 1, data[3], kernel[3], output[3]);
  return shape;
}

// As they lie in memory, where they are no constant.
absl::StatusOr<Operand> ReadWeights(const Deformable& shape, Value weights,
                                    PlanBuilder& builder) {
  const Tensor* constant = PlanBuilder::PackableConstantOf(weights);
  if (constant == nullptr) return builder.ReadPlain(weights);
  const auto pack = [shape](absl::Span<const Tensor> constants, void* packed,
                            int panel) {
    PackPanel(shape, constants[0].data<float>(), panel,
              static_cast<float*>(packed));
    return absl::OkStatus();
  };
  return builder.GetOrPack(
      {absl::StrCat("deformable:", shape.window.groups), *constant},
      shape.weights_size() * kFloatBytes, pack,
      static_cast<int>(shape.panels()));
}

bool IsOfFloats(const Node& node) {
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i).type() != ElementType::kF32) return false;
  }
  const Tensor* weights = PlanBuilder::PackableConstantOf(node.input(2));
  return weights == nullptr || weights->is_contiguous();
}

}  // namespace

absl::StatusOr<bool> EmitDeformableConvolution(const Node& node,
                                               PlanBuilder& builder) {
  if (!IsOfFloats(node)) return false;
  const Deformable shape = ShapeOf(node);
  const Format format = {ElementType::kF32, Layout::kChannelsLast};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets,
                            builder.ReadPlain(node.input(1)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                            ReadWeights(shape, node.input(2), builder));
  Operand mask;
  if (node.input_count() > 3) {
    DOVETAIL_ASSIGN_OR_RETURN(mask, builder.ReadPlain(node.input(3)));
  }
  const int threads = std::max(1, builder.settings().threads);
  const PixelRuns runs(shape, threads,
                       builder.settings().machine_model().l2.bytes);
  auto step = std::make_unique<DeformableStep>(
      shape, runs, threads, !PlanBuilder::IsConstant(node.input(2)));
  const Operand scratch = builder.Scratch(step->scratch_bytes());
  builder.Add(node, "deformable", std::move(step),
              {data, offsets, weights, mask},
              {builder.Write(PlanBuilder::OutputOf(node), format)}, scratch);
  return true;
}

}  // namespace dovetail::cpu
