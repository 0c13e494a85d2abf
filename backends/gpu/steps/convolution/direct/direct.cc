#include "dovetail/backends/gpu/steps/convolution/direct/direct.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/convolution/common/coded_weights.h"
#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"
#include "dovetail/backends/gpu/steps/convolution/common/packing.h"
#include "dovetail/backends/gpu/steps/convolution/common/padded.h"
#include "dovetail/backends/gpu/steps/convolution/common/windows.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct_block.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct_kernel.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct_sizes.h"
#include "dovetail/backends/gpu/steps/convolution/direct/planar_choice.h"
#include "dovetail/backends/gpu/steps/convolution/direct/planar_kernel.h"
#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kBlock = 16;
// Planar data of so few channels is not worth blocks of 16.
constexpr int64_t kFewChannels = 8;
// Launches for a transposed convolution.
constexpr size_t kMaxPhases = 16;

// Groups whose channels are whole blocks; nothing: there are none.
std::optional<MergedGroups> MergeGroups(const ConvolutionProblem& problem) {
  MergedGroups channels = {1, problem.groups, problem.inputs, problem.outputs};
  if (problem.groups == 1) return channels;
  const auto needed = [](int64_t count) {
    return kBlock / std::gcd(kBlock, count);
  };
  const int64_t merged =
      std::max(needed(problem.inputs), needed(problem.outputs));
  const bool is_block =
      merged * problem.inputs == kBlock && merged * problem.outputs == kBlock;
  if (problem.groups % merged != 0 && !is_block) return std::nullopt;
  channels.merged = merged;
  channels.groups = CeilDivide(problem.groups, merged);
  channels.inputs *= merged;
  channels.outputs *= merged;
  return channels;
}

int64_t RoundUp(int64_t n, int64_t to) { return CeilDivide(n, to) * to; }

// Whether there are few launches, and ints count what is in memory: data of so
// many floats a pixel.
bool Fits(const ConvolutionProblem& problem, const MergedGroups& channels,
          const Windows& windows, const PixelPlanes& data) {
  const int64_t packed = channels.groups * RoundUp(channels.inputs, kBlock) *
                         RoundUp(channels.outputs, 4 * kBlock) * problem.taps();
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return windows.phase_count() <= kMaxPhases &&
         Padded(data, windows.padding).floats() < kMax && packed < kMax;
}

PixelPlanes BlocksOf(const ConvolutionProblem& problem,
                     const Windows& windows) {
  return {problem.batch * CeilDivide(problem.source[1], kBlock), windows.data,
          kBlock};
}

// Work items of processors make floats of each code for all of their pixels
// anew: of so many tiles that costs less than reading floats from memory.
constexpr int64_t kFewTiles = 8;

class DirectEmitter {
 public:
  DirectEmitter(const ConvolutionProblem& problem, const MergedGroups& channels,
                PlanBuilder& builder)
      : problem_(problem),
        channels_(channels),
        builder_(builder),
        windows_(WindowsOf(problem)),
        data_(BlocksOf(problem, windows_)),
        coded_(CodedWeightsOf(problem)),
        epilogue_(ProductEpilogue::Find(PlanBuilder::OutputOf(*problem.node), 1,
                                        builder)) {
    const Layout stored = builder.FormatOf(problem.data).layout;
    const bool few_outputs = HasFewOutputs(problem, builder.lanes().lanes);
    is_planar_ = problem.groups == 1 && stored == Layout::kPlanar &&
                 (problem.inputs < kFewChannels || few_outputs);
    result_format_.type = epilogue_.stored();
    if (is_planar_ && WritesPlanar(problem, epilogue_.result(), builder)) {
      result_format_.layout = Layout::kPlanar;
    }
    if (is_planar_) {
      data_ = {problem.batch * problem.inputs, windows_.data, 1};
    }
  }

  bool CanEmit() const { return Fits(problem_, channels_, windows_, data_); }

  absl::Status Emit() {
    const Layout layout = is_planar_ ? Layout::kPlanar : Layout::kBlocked16;
    DOVETAIL_ASSIGN_OR_RETURN(
        x_, builder_.Read(problem_.data,
                          builder_.StoredFormat(problem_.data, layout)));
    if (geometry().NeedsPadding()) {
      x_ = AddPadding(*problem_.node, x_, data_, windows_.padding, builder_);
    }
    y_ = builder_.Write(epilogue_.result(), result_format_);
    for (const AxisPhase& z : windows_.phases[0]) {
      for (const AxisPhase& y : windows_.phases[1]) {
        for (const AxisPhase& x : windows_.phases[2]) {
          DOVETAIL_RETURN_IF_ERROR(EmitPhase({z, y, x}));
        }
      }
    }
    return absl::OkStatus();
  }

 private:
  PlanarBlock PlanarBlockOf(const Phase& phase) const {
    PlanarBlock block = ChoosePlanarBlock(
        builder_.lanes().lanes, geometry().WidthOf(phase), channels_.outputs);
    block.data = x_.format.type;
    block.stored = epilogue_.stored();
    return block;
  }

  DirectBlock DirectBlockOf(const Phase& phase) const {
    DirectBlock block = ChooseBlock(
        builder_.lanes().lanes, geometry().WidthOf(phase), channels_.outputs);
    block.stride = static_cast<int>(phase[2].stride);
    block.input_channels = data_.pixel;
    block.data = x_.format.type;
    block.weights = block.stored = epilogue_.stored();
    block.own_inputs = own_inputs();
    // So many sums, and a row of weights, fit into the vector registers.
    if (block.own_inputs > 0) block.pixels = std::min(block.pixels, 14);
    block.is_merged = channels_.merged > 1 && block.own_inputs == 0;
    return block;
  }

  void AddBody(const Phase& phase, const PackedForm& form,
               Launch& launch) const {
    const int lanes = builder_.lanes().lanes;
    if (writes_planar()) {
      launch.writer.Body(PlanarBody(PlanarBlockOf(phase),
                                    epilogue_.AddPixelText(lanes, launch)));
      return;
    }
    AddKeepFunction(lanes, launch.writer);
    DirectBlock block = DirectBlockOf(phase);
    block.weights = form.stored;
    block.has_zeros = IsCoded(form) && coded_->has_zeros;
    launch.writer.Body(
        DirectBody(block, epilogue_.AddTextOfBlocks(lanes, launch)));
  }

  // Whether all output channels of some pixels come one after the other: data
  // that a processor's own cache does not hold is then read once, by weights
  // that it holds. Larger windows lose by it.
  bool IsChannelsFirst(const PackedForm& form) const {
    constexpr int64_t kLargeData = int64_t{1} << 17;  // floats
    constexpr int64_t kSmallWeights = int64_t{3} << 17;
    return builder_.lanes().lanes == 16 && form.taps() == 1 &&
           data_.floats() > kLargeData && form.floats() <= kSmallWeights;
  }

  // Output channels and pixels of a work item.
  struct Item {
    int64_t channels, pixels;
  };

  int64_t TilesOf(const DirectSizes& sizes, const Item& item) const {
    return CeilDivide(sizes.width, item.pixels) * sizes.height * sizes.depth *
           problem_.batch;
  }

  // Whether the weights stay codes.
  bool KeepsCodes(const DirectSizes& sizes, const Item& item) const {
    return coded_.has_value() && !writes_planar() &&
           (builder_.lanes().lanes < 16 || TilesOf(sizes, item) <= kFewTiles);
  }
  static bool IsCoded(const PackedForm& form) {
    return form.stored == ElementType::kI8 || form.stored == ElementType::kU8;
  }

  // See DirectSizes. Where many tiles share the weights, waiting for these
  // costs little.
  int64_t AheadLines(const PackedForm& form, const DirectSizes& sizes,
                     const Item& item) const {
    if (builder_.lanes().lanes != 16 || sizes.channels_first == 1) return 0;
    const int64_t tiles = TilesOf(sizes, item);
    const int64_t lines =
        form.input_block * form.output_block / LineElements(form.stored);
    return tiles > lines ? 0 : CeilDivide(lines, tiles);
  }

  // See DirectBlock: of groups that are merged to one block of data and one of
  // results. 2.5 times as fast as all channels by zeros would be.
  int own_inputs() const {
    const bool is_block = channels_.merged > 1 && channels_.inputs == kBlock &&
                          channels_.outputs == kBlock;
    return is_block && builder_.lanes().lanes == 16
               ? static_cast<int>(problem_.inputs)
               : 0;
  }

  Item ItemOf(const Phase& phase) const {
    if (writes_planar()) {
      const PlanarBlock block = PlanarBlockOf(phase);
      return {block.outputs, block.pixels()};
    }
    const DirectBlock block = DirectBlockOf(phase);
    return {block.channels(), block.pixels};
  }

  absl::string_view KindOf() const {
    if (problem_.transposed) return "convolution_transposed";
    return writes_planar() ? "convolution_planar" : "convolution_direct";
  }

  absl::Status EmitPhase(const Phase& phase) {
    const Item item = ItemOf(phase);
    PackedForm form = {channels_, phase, data_.pixel, item.channels,
                       epilogue_.stored()};
    if (own_inputs() > 0) {
      form.input_block = own_inputs();
      form.has_own_inputs = true;
    }
    DirectSizes sizes = geometry().SizesOf(phase, form);
    if (KeepsCodes(sizes, item)) form.stored = coded_->type;
    sizes.channels_first = IsChannelsFirst(form) ? 1 : 0;
    sizes.ahead_lines = AheadLines(form, sizes, item);
    Launch launch;
    launch.kernel = KernelName(KindOf(), form.stored);
    DOVETAIL_RETURN_IF_ERROR(AddBuffers(form, launch));
    AddSizes(sizes, launch);
    if (channels_.merged > 1 && own_inputs() == 0) {
      AddInt(launch, "group_inputs", problem_.inputs);
      AddInt(launch, "group_outputs", problem_.outputs);
    }
    AddBody(phase, form, launch);
    launch.range.dims = 3;
    launch.range.global[0] = CeilDivide(sizes.width, item.pixels);
    launch.range.global[1] = sizes.height * sizes.depth * problem_.batch;
    launch.range.global[2] = channels_.groups * form.items();
    if (sizes.channels_first == 1) {
      std::swap(launch.range.global[0], launch.range.global[2]);
    }
    if (builder_.lanes().lanes == 16) {
      launch.writer.Group(1);
      std::fill_n(launch.range.local, 3, 1);
    }
    builder_.AddLaunch(*problem_.node, std::move(launch));
    return absl::OkStatus();
  }

  absl::Status AddWeights(const PackedForm& form, Launch& launch) {
    const absl::string_view type = ClType(form.stored);
    if (!IsCoded(form)) {
      DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                                PackWeights(problem_, form, builder_));
      AddInput(launch, "w", type, weights);
      return absl::OkStatus();
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Operand codes,
                              PackCodes(problem_, *coded_, form, builder_));
    DOVETAIL_ASSIGN_OR_RETURN(const Operand scales,
                              PackScales(*coded_, form, builder_));
    AddInput(launch, "w", type, codes);
    AddInput(launch, "s", "float", scales);
    if (!coded_->has_zeros) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(const Operand zeros,
                              PackZeroPoints(*coded_, form, builder_));
    AddInput(launch, "z", "float", zeros);
    return absl::OkStatus();
  }

  absl::Status AddBuffers(const PackedForm& form, Launch& launch) {
    AddInput(launch, "x", ClType(x_.format.type), x_);
    DOVETAIL_RETURN_IF_ERROR(AddWeights(form, launch));
    DOVETAIL_RETURN_IF_ERROR(
        epilogue_.AddOperands(result_format_.layout, builder_, launch));
    AddOutput(launch, "y", ClType(epilogue_.stored()), y_);
    // With the first phase, after the reorders of residuals.
    if (!is_fused_) epilogue_.Fuse(builder_);
    is_fused_ = true;
    return absl::OkStatus();
  }

  bool writes_planar() const {
    return result_format_.layout == Layout::kPlanar;
  }
  DirectGeometry geometry() const {
    return {problem_, channels_, windows_, data_, writes_planar() ? 1 : kBlock};
  }

  const ConvolutionProblem& problem_;
  const MergedGroups channels_;
  PlanBuilder& builder_;
  const Windows windows_;
  PixelPlanes data_;
  const std::optional<CodedWeights> coded_;
  const ProductEpilogue epilogue_;
  Format result_format_ = {ElementType::kF32, Layout::kBlocked16};
  bool is_planar_ = false, is_fused_ = false;
  Operand x_, y_;
};

}  // namespace

absl::StatusOr<bool> EmitDirectConvolution(const Node& node,
                                           PlanBuilder& builder) {
  const auto problem = FloatProblemOf(node);
  if (!problem.has_value()) return false;
  const auto channels = MergeGroups(*problem);
  if (!channels.has_value()) return false;
  DirectEmitter emitter(*problem, *channels, builder);
  if (!emitter.CanEmit()) return false;
  DOVETAIL_RETURN_IF_ERROR(emitter.Emit());
  return true;
}

bool TakesDirectConvolution(const Node& node) {
  if (!node.Is("Convolution") && !node.Is("ConvolutionBackpropData")) {
    return false;
  }
  const auto problem = FloatProblemOf(node);
  if (!problem.has_value()) return false;
  const auto channels = MergeGroups(*problem);
  const Windows windows = WindowsOf(*problem);
  return channels.has_value() &&
         Fits(*problem, *channels, windows, BlocksOf(*problem, windows));
}

}  // namespace dovetail::gpu
