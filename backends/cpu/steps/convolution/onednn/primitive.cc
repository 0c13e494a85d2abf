#include "dovetail/backends/cpu/steps/convolution/onednn/primitive.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"

namespace dovetail::cpu {
namespace {

enum class Speed : uint8_t { kNone, kReference, kGemm, kGenerated };

// oneDNN's general code, and deconvolutions by the general one, which apply
// post-operations element by element in plain loops. Deconvolutions by the
// gradient of a convolution are called after that: "conv:any+ref:any".
Speed SpeedOf(const dnnl::primitive_desc_base& desc) {
  const std::string name = desc.impl_info_str();
  if (absl::StrContains(name, "ref:")) return Speed::kReference;
  if (absl::StrContains(name, "gemm:")) return Speed::kGemm;
  return Speed::kGenerated;
}

// Whether oneDNN 3.7.2 may not come to an end while it generates that code. Its
// depthwise kernel for AVX-512 reads the columns of a window together where
// there are registers for that. Where there are not, brdgmm_blocking goes back
// to one column, but has counted a register too few: of one block of channels,
// brdgmm_microkernel then has no register left for weights, and steps through
// the blocks by none at a time. f32 needs no such register. A block of channels
// may also be what is left for a thread of more, so their number says nothing.
bool MayNeverEnd(const dnnl::primitive_desc_base& desc,
                 const ConvolutionProblem& problem, ElementType type) {
  constexpr int64_t kSafeColumns = 13;
  return type != ElementType::kF32 && HasAvx512() &&
         problem.strides.back() == 1 &&
         problem.weights_dims.back() > kSafeColumns &&
         absl::StartsWith(desc.impl_info_str(), "brdgmm");
}

// Whether windows of several columns make results of one.
bool IsOfOneColumn(const ConvolutionProblem& problem) {
  return !problem.transposed &&
         problem.result[static_cast<int>(problem.strides.size()) + 1] == 1 &&
         problem.weights_dims.back() > 1;
}

bool IsPadded(const ConvolutionProblem& problem) {
  const auto is_some = [](dnnl::memory::dim pad) { return pad != 0; };
  return std::any_of(problem.pads_begin.begin(), problem.pads_begin.end(),
                     is_some) ||
         std::any_of(problem.pads_end.begin(), problem.pads_end.end(), is_some);
}

bool PadsColumns(const ConvolutionProblem& problem) {
  return problem.pads_begin.back() != 0 || problem.pads_end.back() != 0;
}

// Whether windows along an axis leave out elements between them, or may reach
// beyond both ends of it.
bool StepOverOrBeyond(const ConvolutionProblem& problem) {
  for (size_t i = 0; i < problem.strides.size(); ++i) {
    const WindowAxis axis = WindowOf(problem, static_cast<int>(i));
    if (axis.stride > axis.kernel || axis.Reach(1) > axis.input) return true;
  }
  return false;
}

// Of MayBeWrong: convolutions by matrix products of blocks.
bool MayBeWrongInBlocks(const ConvolutionProblem& problem, ElementType type) {
  const auto spatial = static_cast<int>(problem.strides.size());
  const bool is_of_one_channel = problem.weights_dims.end()[-1 - spatial] == 1;
  if ((spatial > 2 || is_of_one_channel) && StepOverOrBeyond(problem)) {
    return true;
  }
  return is_of_one_channel && (IsOfOneColumn(problem) ||
                               (type == ElementType::kI8 && IsPadded(problem)));
}

// Whether it is a picture of dense windows of neighbours with padding before
// and behind both axes, as most are.
bool IsPaddedEvenly(const ConvolutionProblem& problem) {
  if (problem.strides.size() > 2 || problem.groups > 1) return false;
  for (int i = 0; i < 2; ++i) {
    if (problem.dilations[i] > 0 || problem.pads_begin[i] == 0 ||
        problem.pads_begin[i] != problem.pads_end[i]) {
      return false;
    }
  }
  return true;
}

// Of MayBeWrong: the same in tiles (AMX).
bool MayBeWrongInTiles(const ConvolutionProblem& problem) {
  if (problem.strides.size() > 2 &&
      (problem.transposed || problem.groups > 1)) {
    return true;
  }
  if (problem.is_integer() && problem.transposed) return true;
  if (problem.data_zero_point != 0 && IsPadded(problem) &&
      !IsPaddedEvenly(problem)) {
    return true;
  }
  return IsOfOneColumn(problem) && problem.strides.back() > 1;
}

// Of MayBeWrong: padded bytes.
bool MayBeWrongInPadding(absl::string_view name,
                         const ConvolutionProblem& problem, ElementType type) {
  const bool is_offset = problem.data_zero_point != 0;
  const bool is_volume = problem.strides.size() > 2;
  if (absl::StrContains(name, "gemm")) {
    return is_offset || (is_volume && type == ElementType::kI8);
  }
  if (!is_offset) return false;
  if (absl::StrContains(name, "brg")) return StepOverOrBeyond(problem);
  return absl::EndsWith(name, "amx") &&
         (!PadsColumns(problem) || StepOverOrBeyond(problem) ||
          IsOfOneColumn(problem));
}

// Of MayBeWrong: bytes, by any kernel.
bool MayBeWrongInIntegers(absl::string_view name,
                          const ConvolutionProblem& problem, ElementType type) {
  if (absl::EndsWith(name, "int8:avx2")) return true;
  if (IsPadded(problem) && MayBeWrongInPadding(name, problem, type)) {
    return true;
  }
  if (!problem.transposed) return false;
  const bool in_groups =
      problem.weights_dims.size() > problem.strides.size() + 2;
  const bool steps_far =
      std::any_of(problem.strides.begin(), problem.strides.end(),
                  [](dnnl::memory::dim stride) { return stride > 2; });
  return in_groups || steps_far ||
         (type == ElementType::kI8 && (absl::StrContains(name, "gemm") ||
                                       absl::StrContains(name, "avx2_vnni")));
}

// Whether oneDNN 3.7.2 may give wrong results, as searches at random have found
// (testing/random_primitives).
//
//   brg_conv    with AVX-512, of one channel: where results are of one column,
//               reads rows of a window as one row, and takes the next rows' for
//               its own; of padded signed bytes, counts the offset of 128 in
//               the padding. Of one channel or of volumes, or padded with a
//               zero point, where windows reach beyond both ends of an axis, or
//               leave out elements: wrong rows and planes, or memory that is
//               not there. With AMX see MayBeWrongInTiles
//   gemm        padded bytes with a zero point; signed ones of volumes
//   jit, AMX    padded bytes with a zero point, where columns are not padded
//               (writes to memory that is not its own), windows reach beyond
//               both ends, or results are of one column; volumes, where columns
//               are not padded and windows reach so far
//   1x1         transposed, with steps that leave out elements
//   int8:avx2   adds pairs of products in 16 bits, which overflow; on
//               processors that have dot products of 512 bits only
//   transposed  bytes, in groups or with steps of three or more; signed bytes
//               by gemm or in 256 bits, whose offset of 128 is not taken off
//               again
bool MayBeWrong(const dnnl::primitive_desc_base& desc,
                const ConvolutionProblem& problem, ElementType type) {
  const std::string name = desc.impl_info_str();
  // Of several primitives: by any of them.
  if (absl::StrContains(name, "brg")) {
    if (HasAvx512() && MayBeWrongInBlocks(problem, type)) return true;
    if (absl::EndsWith(name, "amx") && MayBeWrongInTiles(problem)) return true;
  }
  if (problem.strides.size() > 2 && absl::EndsWith(name, "amx") &&
      IsPadded(problem) && !PadsColumns(problem) && StepOverOrBeyond(problem)) {
    return true;
  }
  if (problem.transposed && absl::StrContains(name, "1x1") &&
      StepOverOrBeyond(problem)) {
    return true;
  }
  if (!problem.is_integer()) return false;
  return MayBeWrongInIntegers(name, problem, type);
}

// Whether it is the older kernel for tiles (AMX) and the window has gaps: it
// takes two to four times as long as dot products of bytes then (bench/blocks,
// aspp_352x22_quantized: 3.7 ms in place of 1.5, Xeon with AMX).
bool IsSlowInTiles(const dnnl::primitive_desc_base& desc,
                   const ConvolutionProblem& problem) {
  const bool has_gaps =
      std::any_of(problem.dilations.begin(), problem.dilations.end(),
                  [](dnnl::memory::dim dilation) { return dilation != 0; });
  const absl::string_view name = desc.impl_info_str();
  return has_gaps && absl::StartsWith(name, "jit") &&
         absl::EndsWith(name, "amx");
}

// Where channels are in blocks, kernels for windows of one element sum so many
// of them from 0 on, and then add the sums.
constexpr int64_t kSummedChannels = 128;

// Whether sums are not made one channel after the other.
bool SumsInParts(const dnnl::primitive_desc_base& desc) {
  if (!desc || !absl::StrContains(desc.impl_info_str(), "1x1")) return false;
  if (HasAvx512()) return true;
  const dnnl::memory::desc weights = desc.query_md(dnnl::query::weights_md, 0);
  const dnnl::memory::desc data = desc.query_md(dnnl::query::src_md, 0);
  const bool in_blocks = data.get_inner_nblks() > 0;
  const int inputs = weights.get_ndims() > data.get_ndims() ? 2 : 1;
  return in_blocks && weights.get_dims()[inputs] > kSummedChannels;
}

// One scale for the whole or one for each output channel.
int ScalesMask(const ConvolutionProblem& problem) {
  return problem.groups > 1 ? 3 : 1;
}

// Whether windows are of one element.
bool IsPointwise(const ConvolutionProblem& problem) {
  const size_t spatial = problem.strides.size();
  const dnnl::memory::dims& dims = problem.weights_dims;
  return std::all_of(dims.end() - static_cast<int64_t>(spatial), dims.end(),
                     [](dnnl::memory::dim dim) { return dim == 1; });
}

// Where sums of floats are quantized, windows of one element may be left to
// kernels for any window. These read all weights for each row: several rows,
// one behind the other in all layouts, are one row for them.
Shape WithLongRows(const ConvolutionProblem& problem, Shape shape) {
  constexpr int64_t kLong = 128;
  if (!problem.is_quantized || shape.rank() != 4 || !IsPointwise(problem) ||
      IsPadded(problem) || problem.strides != dnnl::memory::dims{1, 1}) {
    return shape;
  }
  int64_t rows = 1;
  while (rows < shape[2] && (shape[2] % rows != 0 || shape[3] * rows < kLong)) {
    ++rows;
  }
  shape[2] /= rows;
  shape[3] *= rows;
  return shape;
}

PostOps::Options OptionsOf(const ConvolutionProblem& problem,
                           ElementType result_type) {
  PostOps::Options options;
  options.result_type = result_type;
  // A sum that begins with the bias is rounded otherwise than one that ends
  // with it.
  options.takes_bias = !problem.is_quantized;
  options.takes_scales = problem.is_integer();
  options.accumulates = !problem.is_integer() && !problem.transposed;
  options.shape = WithLongRows(problem, problem.result);
  return options;
}

class Chooser {
 public:
  Chooser(const ConvolutionProblem& problem, ElementType type,
          ElementType result_type, const PostOps& post_ops)
      : problem_(problem),
        source_(WithLongRows(problem, problem.source)),
        result_(WithLongRows(problem, problem.result)),
        type_(type),
        result_type_(result_type),
        post_ops_(post_ops),
        attr_(ScratchpadAttr()) {
    post_ops.AddTo(attr_);
    if (problem.is_integer()) {
      if (!post_ops.scales().empty()) {
        attr_.set_scales_mask(DNNL_ARG_WEIGHTS, ScalesMask(problem));
      }
      if (problem.data_zero_point != 0) {
        attr_.set_zero_points_mask(DNNL_ARG_SRC, 0);
      }
    }
  }

  // With the data in that layout; nothing: in whatever the primitive prefers.
  std::optional<ConvolutionPrimitive> Try(std::optional<Layout> layout) const {
    const auto data = layout ? Describe(source_, {type_, *layout})
                             : DescribeAny(source_, type_);
    const auto result =
        problem_.has_planes_as_images
            ? Describe(result_, {result_type_, Layout::kChannelsLast})
            : DescribeAny(result_, result_type_);
    ConvolutionPrimitive primitive;
    primitive.desc =
        problem_.transposed
            ? Make<dnnl::deconvolution_forward>(
                  dnnl::algorithm::deconvolution_direct, data, result)
            : Make<dnnl::convolution_forward>(
                  dnnl::algorithm::convolution_direct, data, result);
    if (!primitive.desc) return std::nullopt;
    const auto from =
        LayoutOf(primitive.desc.query_md(dnnl::query::src_md, 0), source_);
    const auto to =
        LayoutOf(primitive.desc.query_md(dnnl::query::dst_md, 0), result_);
    if (!from.has_value() || !to.has_value()) return std::nullopt;
    primitive.source = {type_, *from};
    primitive.result = {result_type_, *to};
    return primitive;
  }

 private:
  template <typename Primitive>
  dnnl::primitive_desc_base Make(dnnl::algorithm algorithm,
                                 const dnnl::memory::desc& data,
                                 const dnnl::memory::desc& result) const {
    using Type = dnnl::memory::data_type;
    using Tag = dnnl::memory::format_tag;
    const Type weights_type =
        problem_.is_integer() ? Type::s8 : *OneDnnType(type_);
    const dnnl::memory::desc weights(problem_.weights_dims, weights_type,
                                     Tag::any);
    dnnl::memory::desc bias;
    if (!post_ops_.bias().empty()) {
      bias = {{post_ops_.channels()}, Type::f32, Tag::a};
    }
    typename Primitive::primitive_desc desc(
        CpuEngine(), dnnl::prop_kind::forward_inference, algorithm, data,
        weights, bias, result, problem_.strides, problem_.dilations,
        problem_.pads_begin, problem_.pads_end, attr_, /*allow_empty=*/true);
    while (desc && (MayNeverEnd(desc, problem_, type_) ||
                    MayBeWrong(desc, problem_, type_) ||
                    IsSlowInTiles(desc, problem_))) {
      if (!desc.next_impl()) return {};
    }
    if (problem_.is_quantized && SumsInParts(desc)) desc.next_impl();
    return desc;
  }

  const ConvolutionProblem& problem_;
  const Shape source_, result_;  // with rows put together
  const ElementType type_, result_type_;
  const PostOps& post_ops_;
  dnnl::primitive_attr attr_;
};

// The layouts to try, the fastest first. With AVX-512 oneDNN's own choice is,
// and any layout but the model's is nearly as fast; where it is one that no
// value is stored in (blocks of 4), or what it has is not generated, channels
// last may be. With AVX2 blocks of 8
// channels are as fast as channels-last for dense convolutions, a third faster
// for depthwise ones, and their primitives are found in a third of the time;
// but two reorders take longer than blocks of depthwise ones save.
std::vector<std::optional<Layout>> Layouts(const ConvolutionProblem& problem) {
  if (problem.has_planes_as_images) return {Layout::kChannelsLast};
  if (problem.is_integer()) return {std::nullopt};
  const Layout layout = problem.data_layout;
  // Transposed convolutions of channels last are by blocks of matrix products,
  // others by the gradient of a convolution.
  if (problem.transposed && problem.groups == 1) {
    return {Layout::kChannelsLast, std::nullopt};
  }
  if (HasAvx512()) {
    // Channels last they are computed as if each were of all channels.
    if (problem.transposed && problem.is_depthwise()) {
      return {std::nullopt, Layout::kChannelsLast};
    }
    if (layout == Layout::kPlanar) return {std::nullopt, Layout::kChannelsLast};
    return {layout, std::nullopt, Layout::kChannelsLast};
  }
  const bool last = layout == Layout::kChannelsLast;
  if (problem.is_depthwise()) {
    if (last) return {Layout::kChannelsLast, Layout::kBlocked8, std::nullopt};
    return {Layout::kBlocked8, std::nullopt};
  }
  const int64_t inputs = problem.source[1];
  // The first layer of a network of images reads these as they are.
  if (!last && (inputs == 1 || inputs == 3)) {
    return {Layout::kPlanar, std::nullopt};
  }
  // Less than a block, most of which would be padding.
  if (inputs < 8) return {Layout::kChannelsLast, std::nullopt};
  const bool few_outputs = problem.result[1] < 8 && !IsPointwise(problem);
  if (last || few_outputs) {
    return {Layout::kChannelsLast, Layout::kBlocked8, std::nullopt};
  }
  return {Layout::kBlocked8, std::nullopt};
}

}  // namespace

std::optional<ConvolutionPrimitive> ChooseConvolutionPrimitive(
    const ConvolutionProblem& problem, ElementType type,
    ElementType result_type, const Epilogue& epilogue,
    const PlanBuilder& builder) {
  const std::vector<std::optional<Layout>> layouts = Layouts(problem);
  std::optional<ConvolutionPrimitive> best;
  Speed best_speed = Speed::kNone;
  for (size_t length = epilogue.size() + 1; length-- > 0;) {
    const Epilogue first = epilogue.First(length);
    const PostOps post_ops(first, OptionsOf(problem, result_type), builder);
    const bool is_float = first.type() == ElementType::kF32;
    const Chooser chooser(problem, type, is_float ? result_type : first.type(),
                          post_ops);
    for (const std::optional<Layout> layout : layouts) {
      auto primitive = chooser.Try(layout);
      if (!primitive.has_value()) continue;
      const Speed speed = SpeedOf(primitive->desc);
      if (speed <= best_speed) continue;
      best = std::move(primitive);
      best->epilogue = first;
      best->post_ops = post_ops;
      best->is_generated = speed == Speed::kGenerated;
      best_speed = speed;
      if (speed == Speed::kGenerated) return best;
    }
  }
  if (best_speed == Speed::kReference && problem.is_integer()) return {};
  return best;
}

}  // namespace dovetail::cpu
