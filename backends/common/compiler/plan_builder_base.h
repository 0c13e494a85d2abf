// Builds a plan node by node, for any device. Emitters ask it where values are
// and in which format, and add steps that write others.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_BUILDER_BASE_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_BUILDER_BASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/compiler/layouts/draft_notes.h"
#include "dovetail/backends/common/compiler/layouts/layout_draft.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/compiler/weights/packing.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/plan/buffers.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// A tensor as a step sees it: which memory, and how it lies there.
struct PlanOperand {
  int buffer = -1;     // of the builder; -1: an operand that is not there
  int64_t offset = 0;  // in bytes
  Format format;
  Shape shape;

  int64_t byte_size() const { return StoredBytes(shape, format); }
  Buffers::Place place() const { return {buffer, offset}; }
};

// A device derives its own, with what its emitters need besides.
class PlanBuilderBase {
 public:
  virtual ~PlanBuilderBase() = default;

  // ---- Values ----

  // An output of a node, as other nodes' inputs name it.
  static Value OutputOf(const Node& node, int i = 0) {
    return Value{const_cast<Node*>(&node), i};
  }
  // Its static shape.
  static Shape ShapeOf(Value value);
  static bool IsConstant(Value value) {
    return PackableConstantOf(value) != nullptr;
  }
  // The tensor of a constant; null for other values. Those of an imported model
  // are compared with their checksums here, if they never were; of damage
  // Finish tells.
  static const Tensor* ConstantOf(Value value);
  // The same for those who ask for no more than type and shape, and read the
  // elements, if at all, where GetOrPack packs them. Many elements, which have
  // been packed long ago, need not come from the disk then.
  static const Tensor* PackableConstantOf(Value value);

  // Whether it can be read by a step that is added now: a constant, an input of
  // the model, or what a step has written.
  bool IsReady(Value value) const;
  // How a step should read it: as it is stored (where there are several copies:
  // the first), or in the layout that is wished for the node that is emitted.
  // For values that are ready.
  Format FormatOf(Value value) const;

  // The value in its FormatOf.
  absl::StatusOr<PlanOperand> Read(Value value);
  // The value in that format: where it is not stored so yet, adds a step that
  // copies it, once for all who ask.
  absl::StatusOr<PlanOperand> Read(Value value, const Format& format);
  // In row-major order and in the type that the model says.
  absl::StatusOr<PlanOperand> ReadPlain(Value value);

  // New memory for a value that the step to be added next writes.
  PlanOperand Write(Value value, const Format& format);
  PlanOperand WritePlain(Value value);

  // The value lies `offset` bytes into the memory of `of`, dense, in `format`:
  // nothing has to run for it.
  void View(Value value, const PlanOperand& of, int64_t offset,
            const Format& format);
  // The value consists of `parts`, one after the other in memory: moves the
  // parts' memory together, so that nothing has to run. False when that cannot
  // be, as when a part is an input of the model or a part of something else.
  bool ConcatInPlace(Value value, absl::Span<const PlanOperand> parts,
                     const Format& format);

  // ---- Other memory ----

  // Memory for the next step alone.
  PlanOperand Scratch(int64_t bytes);
  // Memory that something else owns and the plan keeps alive.
  PlanOperand AddConstant(std::shared_ptr<const void> owner, const void* data,
                          int64_t bytes);
  void KeepAlive(std::shared_ptr<const void> owner) {
    kept_alive_.push_back(std::move(owner));
  }
  // The elements of a tensor, which the plan keeps alive.
  PlanOperand AddConstant(const Tensor& tensor);

  // `bytes` of packed constants, which all plans share that ask for the same
  // key, and which the plan keeps alive. Unless they are there, or come with
  // an export, Finish calls `pack` once for each of `parts`, from several
  // threads. `pack` may not use the builder, and reads the constants that it is
  // given, with `alignment` kAny by their address() alone: of the key's own,
  // asking for elements may cost a copy of all of them, which stays.
  absl::StatusOr<PlanOperand> GetOrPack(
      const PackingKey& key, int64_t bytes, PackFn pack, int parts = 1,
      Alignment alignment = Alignment::kOfType);

  // Whether GetOrPack would find them there.
  bool IsPacked(const PackingKey& key, int64_t bytes) const {
    return weights_.Has(key, bytes);
  }

  // The output may lie in the memory of the input, which the step reads before
  // it writes there, element by element; done when nobody needs it afterwards.
  // To be called before Add, for one output of a step. With `alone` no other
  // operand of the step may lie in that memory, as they are read later.
  void AllowInPlace(const PlanOperand& output, const PlanOperand& input,
                    bool alone = false);

  // ---- Layouts ----

  // In which layouts steps should find what they read, and whether there will
  // be a plan. Before anything is emitted.
  void Follow(EmissionRequest request) { notes_.Follow(std::move(request)); }
  // What is read and written from now on is for that node, and those that are
  // fused with it.
  void BeginSite(const Node& node) { notes_.Begin(node); }
  // In place of emitting a site for a draft: what it was in the request's.
  // False where there is none.
  bool RepeatSite(const Node& node);
  // What was emitted up to now.
  const LayoutDraft& draft() const { return notes_.draft(); }

  // ---- Steps ----

  // Adds a step for a node: its profile shows the node's name and `kernel`.
  // Operands with buffer -1 become null pointers.
  void Add(const Node& node, absl::string_view kernel,
           std::unique_ptr<PlanStep> step, absl::Span<const PlanOperand> inputs,
           absl::Span<const PlanOperand> outputs,
           const PlanOperand& scratch = {});

  // The node needs no step of its own: it is computed together with the one
  // that is emitted now. Emitters call it for all nodes that they take in
  // besides their own.
  void Fuse(const Node& node);
  void Fuse(absl::Span<const Node* const> nodes) {
    for (const Node* node : nodes) Fuse(*node);
  }
  bool IsDone(const Node& node) const { return states_.at(&node).done; }
  void SetDone(const Node& node);

  // Which kernels declined the node, and why: for descriptions of the steps
  // that are added for it from now on.
  void SetDeclined(const Node& node, std::string declined) {
    states_.at(&node).declined = std::move(declined);
  }

  // Work on what has been added, such as generation of code, that Finish does
  // for all of it in parallel. It may not use the builder.
  void Defer(std::function<absl::Status()> work);

  // ---- The end ----

  // What else is to be made of a plan, by one thread, while others pack.
  using BesidePacking =
      std::function<absl::Status(const std::shared_ptr<const Plan>& plan)>;

  // The plan, when all nodes are done. Tensors between steps lie in the first
  // of the arenas that has room for them. `beside` sees memory that is not
  // packed yet.
  absl::StatusOr<std::shared_ptr<const Plan>> Finish(
      WorkTeam& team, absl::Span<const ArenaOptions> arenas = {{}},
      const BesidePacking& beside = nullptr);

 protected:
  // All shapes of the model are static. Everything outlives the builder; the
  // model has to live as long as the plan.
  PlanBuilderBase(const Model& model, WeightsCache& weights);

 private:
  // A step that copies a tensor of that shape from one format to another.
  virtual absl::StatusOr<std::unique_ptr<PlanStep>> MakeReorder(
      const Shape& shape, const Format& from, const Format& to) = 0;

  struct NodeState {
    bool done = false;
    std::string declined;  // see SetDeclined
    // For each output, the copies there are.
    std::vector<std::vector<PlanOperand>> outputs;
  };
  // See AllowInPlace.
  struct InPlace {
    int step, output;
    Buffers::Place input;
    bool alone;
  };
  struct Added {
    PlannedStep planned;
    std::vector<PlanOperand> inputs, outputs;
    PlanOperand scratch;
  };

  const std::vector<PlanOperand>& Copies(Value value) const;
  absl::StatusOr<PlanOperand> Stored(Value value);
  PlanOperand AddCopy(Value value, const Format& format);
  absl::StatusOr<PlanOperand> AddReorder(Value value, const PlanOperand& stored,
                                         const Format& format);
  void AddParameters();
  absl::StatusOr<PlanOperand> Constant(Value value);
  void ExtendLiveRange(const PlanOperand& operand, int step);
  int step_count() const { return static_cast<int>(steps_.size()); }

  absl::Status CheckConstants() const;
  absl::Status BindResults();
  void AliasInPlace();
  bool IsAlone(const InPlace& candidate) const;
  Address AddressOf(const PlanOperand& operand) const;
  std::vector<MemoryRegion> DescribeMemory() const;
  absl::StatusOr<std::shared_ptr<const Plan>> MakePlan(
      absl::Span<const ArenaOptions> arenas);
  absl::Status RunDeferred(WorkTeam& team);

  const Model& model_;
  WeightsCache& weights_;

  DraftNotes notes_;
  std::unordered_map<const Node*, NodeState> states_;
  Buffers buffers_;
  std::vector<InPlace> in_place_;
  std::vector<std::function<absl::Status()>> deferred_;
  std::set<const PackedWeights*> asked_;  // that `packings_` are for
  std::vector<std::shared_ptr<Packing>> packings_;
  std::vector<const Node*> fused_;  // for the next step
  std::vector<const Node*> views_;
  std::vector<std::shared_ptr<const void>> kept_alive_;
  std::vector<PlannedConstant> constants_;
  std::vector<Added> steps_;
  std::vector<PlanOperand> results_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_PLAN_BUILDER_BASE_H_
