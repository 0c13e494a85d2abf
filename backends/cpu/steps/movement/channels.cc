#include "dovetail/backends/cpu/steps/movement/channels.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/movement/gather_channels.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

class GatherChannelsStep : public Step {
 public:
  GatherChannelsStep(ChannelGather gather, int sources)
      : copies_(std::move(gather)), sources_(sources) {}

  absl::Status Run(const StepRun& run) const override {
    std::vector<const void*> sources;
    for (int i = 0; i < sources_; ++i) sources.push_back(run.input<void>(i));
    constexpr int64_t kItemsAtATime = 4;
    ParallelFor(run.environment->team(), copies_.work_item_count(),
                kItemsAtATime, [&](int64_t first, int64_t last) {
                  copies_.Run(sources, run.output<void>(), first, last);
                });
    return absl::OkStatus();
  }

 private:
  const ChannelCopies copies_;
  const int sources_;
};

struct Source {
  int number = 0;  // among the inputs
  Shape shape;
  Layout layout = Layout::kPlanar;
};

// Channels that lie side by side.
int64_t BlockOf(const Shape& shape, Layout layout) {
  return layout == Layout::kChannelsLast ? shape[1] : ChannelBlock(layout);
}

GatheredChannel PlaceOf(const Source& source, int64_t channel) {
  const int64_t pixels = source.shape.Count(2, source.shape.rank());
  const int64_t block = BlockOf(source.shape, source.layout);
  return {source.number, channel / block * block * pixels + channel % block,
          block, StoredElements(source.shape, source.layout) / source.shape[0]};
}

// All sources have one type as they are stored, or else that of the model.
ElementType TypeOf(Value value, const MovedChannels& channels,
                   const PlanBuilder& builder) {
  const ElementType first = builder.FormatOf(channels[0].value).type;
  const bool alike =
      std::all_of(channels.begin(), channels.end(), [&](const auto& channel) {
        return builder.FormatOf(channel.value).type == first;
      });
  return alike ? first : value.type();
}

// That in which most of the channels are stored.
Layout LayoutOf(const Shape& shape, const MovedChannels& channels,
                const PlanBuilder& builder) {
  std::map<Layout, int64_t> counts;
  for (const MovedChannel& channel : channels) {
    ++counts[builder.FormatOf(channel.value).layout];
  }
  const auto most = std::max_element(
      counts.begin(), counts.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  return CanHaveLayout(shape, most->first) ? most->first : Layout::kPlanar;
}

// Without channels.
ChannelGather GatherTo(const Shape& shape, const Format& format) {
  ChannelGather gather;
  gather.element_bytes = BitWidth(format.type) / 8;
  gather.images = shape[0];
  gather.pixels = shape.Count(2, shape.rank());
  gather.block = BlockOf(shape, format.layout);
  return gather;
}

// Reads the sources of the channels as they are stored, but for the type, each
// once, and says where the channels are.
absl::Status ReadChannels(const MovedChannels& channels, ElementType type,
                          PlanBuilder& builder, std::vector<Operand>& inputs,
                          ChannelGather& gather) {
  std::map<Value, Source> sources;
  for (const MovedChannel& channel : channels) {
    const auto [it, is_new] = sources.try_emplace(channel.value);
    Source& source = it->second;
    if (is_new) {
      source = {static_cast<int>(inputs.size()),
                PlanBuilder::ShapeOf(channel.value),
                builder.FormatOf(channel.value).layout};
      DOVETAIL_ASSIGN_OR_RETURN(
          const Operand input,
          builder.Read(channel.value, {type, source.layout}));
      inputs.push_back(input);
    }
    gather.channels.push_back(PlaceOf(source, channel.channel));
  }
  return absl::OkStatus();
}

absl::Status EmitValue(Value value, PlanBuilder& builder) {
  const MovedChannels& channels = builder.channel_moves().ChannelsOf(value);
  const Shape shape = PlanBuilder::ShapeOf(value);
  const Format format = {TypeOf(value, channels, builder),
                         LayoutOf(shape, channels, builder)};
  ChannelGather gather = GatherTo(shape, format);
  std::vector<Operand> inputs;
  DOVETAIL_RETURN_IF_ERROR(
      ReadChannels(channels, format.type, builder, inputs, gather));
  while (gather.channels.size() % gather.block != 0) {
    gather.channels.emplace_back();
  }
  auto step = std::make_unique<GatherChannelsStep>(
      std::move(gather), static_cast<int>(inputs.size()));
  builder.Add(*value.node, "gather_channels", std::move(step), inputs,
              {builder.Write(value, format)});
  return absl::OkStatus();
}

}  // namespace

ChannelMoves FindChannelMoves(absl::Span<Node* const> order) {
  return ChannelMoves(order, HasAvx512() ? 16 : 8);
}

absl::StatusOr<bool> EmitChannelMove(const Node& node, PlanBuilder& builder) {
  const ChannelMoves& moves = builder.channel_moves();
  if (!moves.Has(node)) return false;
  for (int i = 0; i < node.output_count(); ++i) {
    const Value value = PlanBuilder::OutputOf(node, i);
    if (!moves.IsReadByOthers(value)) continue;
    DOVETAIL_RETURN_IF_ERROR(EmitValue(value, builder));
  }
  return true;
}

}  // namespace dovetail::cpu
