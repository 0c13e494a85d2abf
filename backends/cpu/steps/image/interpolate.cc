#include "dovetail/backends/cpu/steps/image/interpolate.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/resize_taps.h"
#include "dovetail/backends/common/kernels/image/resize.h"
#include "dovetail/backends/cpu/kernels/image/resize_bf16.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/reference/image/resize/taps.h"

namespace dovetail::cpu {
namespace {

// What is worth waking a thread for.
constexpr int64_t kElementsAtATime = 1 << 13;

// Pixels of fewer channels than this are resized channel by channel, as vectors
// would have few of their lanes filled.
constexpr int64_t kFewChannels = 8;

// {planes, rows, columns, channels} to other rows and columns.
struct Images {
  int64_t planes, rows, columns, channels;
};

template <typename T>
void ResizeInParallel(WorkTeam& team, const Images& images,
                      const host::ResizeTaps& rows,
                      const host::ResizeTaps& columns, const T* in, T* out) {
  const int64_t row = columns.output() * images.channels;
  ParallelFor(team, images.planes * rows.output(),
              std::max<int64_t>(1, kElementsAtATime / row),
              [&](int64_t begin, int64_t end) {
                host::Resize({images.rows, images.columns, images.channels,
                              rows, columns},
                             in, out, begin, end);
              });
}

template <typename T>
class ResizeStep : public Step {
 public:
  ResizeStep(const Images& images, host::ResizeTaps rows,
             host::ResizeTaps columns)
      : images_(images), rows_(std::move(rows)), columns_(std::move(columns)) {}

  absl::Status Run(const StepRun& run) const override {
    ResizeInParallel(run.environment->team(), images_, rows_, columns_,
                     run.input<T>(0), run.output<T>());
    return absl::OkStatus();
  }

 private:
  const Images images_;
  const host::ResizeTaps rows_, columns_;
};

// Of channels last, stored as bf16.
class ResizeBf16Step : public Step {
 public:
  ResizeBf16Step(const Images& images, host::ResizeTaps rows,
                 host::ResizeTaps columns)
      : images_(images), rows_(std::move(rows)), columns_(std::move(columns)) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t row = columns_.output() * images_.channels;
    ParallelFor(run.environment->team(), images_.planes * rows_.output(),
                std::max<int64_t>(1, kElementsAtATime / row),
                [&](int64_t begin, int64_t end) {
                  ResizeBf16({images_.rows, images_.columns, images_.channels,
                              rows_, columns_},
                             run.input<uint16_t>(0), run.output<uint16_t>(),
                             begin, end);
                });
    return absl::OkStatus();
  }

 private:
  const Images images_;
  const host::ResizeTaps rows_, columns_;
};

// Bytes as Pillow resizes them: first along the rows, to bytes, then across.
class ResizeTwiceStep : public Step {
 public:
  ResizeTwiceStep(const Images& images, host::ResizeTaps rows,
                  host::ResizeTaps columns)
      : images_(images),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        same_rows_(host::ResizeTaps::Identity(images.rows)),
        same_columns_(host::ResizeTaps::Identity(columns_.output())) {}

  int64_t scratch_bytes() const {
    return images_.planes * images_.rows * columns_.output();
  }

  absl::Status Run(const StepRun& run) const override {
    WorkTeam& team = run.environment->team();
    auto* const between = static_cast<uint8_t*>(run.scratch);
    ResizeInParallel(team, images_, same_rows_, columns_, run.input<uint8_t>(0),
                     between);
    const Images narrow = {images_.planes, images_.rows, columns_.output(), 1};
    ResizeInParallel<uint8_t>(team, narrow, rows_, same_columns_, between,
                              run.output<uint8_t>());
    return absl::OkStatus();
  }

 private:
  const Images images_;
  const host::ResizeTaps rows_, columns_;
  const host::ResizeTaps same_rows_, same_columns_;
};

// The axis of rows, if all axes but that and the next stay as they are; -1
// otherwise. The last two, if none changes.
int RowAxis(const std::vector<AxisTaps>& taps, const Shape& data) {
  const int rank = data.rank();
  int first = rank, last = -1;
  for (int i = 0; i < rank; ++i) {
    if (taps[i].IsIdentity(data[i])) continue;
    first = std::min(first, i);
    last = i;
  }
  if (last - first > 1 || rank < 2) return -1;
  return std::max(0, std::min(first, rank - 2));
}

host::ResizeTaps Packed(const AxisTaps& taps) {
  return host::ResizeTaps(taps.first, taps.indices, taps.weights);
}

// Whether bytes are rounded after each axis.
bool RoundsTwice(const Node& node, int rank) {
  const ResizeMode mode = ResizeAttributesOf(node, rank).mode;
  return mode == ResizeMode::kBilinearPillow ||
         mode == ResizeMode::kBicubicPillow;
}

// Channels that are few, or are of bytes, become columns of their own.
void SplitChannels(ElementType type, Images& images,
                   host::ResizeTaps& columns) {
  if (type == ElementType::kF32 && images.channels >= kFewChannels) return;
  if (images.channels == 1) return;
  columns = columns.OfChannels(images.channels);
  images.columns *= images.channels;
  images.channels = 1;
}

// Whether columns of so many channels have indices that taps can hold.
bool Fits(const Images& images) {
  return images.columns * images.channels < int64_t{1} << 31;
}

void AddResize(const Node& node, const Images& images, host::ResizeTaps rows,
               host::ResizeTaps columns, const Operand& input,
               const Operand& output, PlanBuilder& builder) {
  const ElementType type = node.input(0).type();
  if (type == ElementType::kF32) {
    auto step = std::make_unique<ResizeStep<float>>(images, std::move(rows),
                                                    std::move(columns));
    builder.Add(node, "resize", std::move(step), {input}, {output});
  } else if (!RoundsTwice(node, PlanBuilder::ShapeOf(node.input(0)).rank())) {
    auto step = std::make_unique<ResizeStep<uint8_t>>(images, std::move(rows),
                                                      std::move(columns));
    builder.Add(node, "resize_u8", std::move(step), {input}, {output});
  } else {
    auto step = std::make_unique<ResizeTwiceStep>(images, std::move(rows),
                                                  std::move(columns));
    const Operand scratch = builder.Scratch(step->scratch_bytes());
    builder.Add(node, "resize_u8", std::move(step), {input}, {output}, scratch);
  }
}

// Of what is to be stored as bf16: false where the kernel for it does not fit.
absl::StatusOr<bool> EmitNarrow(const Node& node,
                                const std::vector<AxisTaps>& taps,
                                PlanBuilder& builder) {
  const Value value = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  if (builder.StoredTypeOf(value) != ElementType::kBf16 || shape.rank() != 4 ||
      RowAxis(taps, shape) != 2) {
    return false;
  }
  host::ResizeTaps rows = Packed(taps[2]), columns = Packed(taps[3]);
  if (!Bf16Resize::IsSupported(shape[1], rows, columns)) return false;
  const Images images = {shape[0], shape[2], shape[3], shape[1]};
  const Format format = {ElementType::kBf16, Layout::kChannelsLast};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(node.input(0), format));
  builder.Add(node, "resize_bf16",
              std::make_unique<ResizeBf16Step>(images, std::move(rows),
                                               std::move(columns)),
              {input}, {builder.Write(value, format)});
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitInterpolate(const Node& node, PlanBuilder& builder) {
  const Value data = node.input(0);
  const Value value = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const ElementType type = data.type();
  if (type != ElementType::kF32 && type != ElementType::kU8) return false;
  const auto taps = ResizeTapsOf(node);
  if (!taps) return false;
  const int rows = RowAxis(*taps, shape);
  if (rows < 0) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const bool is_narrow,
                            EmitNarrow(node, *taps, builder));
  if (is_narrow) return true;
  Format format = {type, builder.FormatOf(data).layout};
  if (rows < 2 || shape.rank() != rows + 2) format.layout = Layout::kPlanar;
  const Shape stored = StoredShape(shape, format.layout);
  const int row = StoredAxis(rows, shape.rank(), format.layout);
  Images images = {stored.Count(0, row), stored[row], stored[row + 1],
                   stored.Count(row + 2, stored.rank())};
  if (!Fits(images)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  host::ResizeTaps columns = Packed((*taps)[rows + 1]);
  SplitChannels(type, images, columns);
  AddResize(node, images, Packed((*taps)[rows]), std::move(columns), input,
            builder.Write(value, format), builder);
  return true;
}

}  // namespace dovetail::cpu
