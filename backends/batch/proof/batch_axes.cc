#include "dovetail/backends/batch/proof/batch_axes.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "dovetail/backends/batch/proof/row_rules.h"
#include "dovetail/backends/batch/proof/rows_of_node.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/shape_query/broadcast.h"

namespace dovetail::batch {
namespace {

// For one request, for two and for three.
constexpr size_t kCopies = 3;

// Shapes of one value in the copies.
using Shapes = std::array<const PartialShape*, kCopies>;

bool AllEqual(const Shapes& shapes) {
  return *shapes[0] == *shapes[1] && *shapes[0] == *shapes[2];
}

// The one axis that grows with the number of requests; kNoAxis: there is none.
int GrowingAxis(const Shapes& shapes) {
  for (const PartialShape* shape : shapes) {
    if (!shape->is_static() || shape->rank() != shapes[0]->rank()) {
      return kNoAxis;
    }
  }
  int axis = kNoAxis;
  for (int i = 0; i < shapes[0]->rank(); ++i) {
    const int64_t one = (*shapes[0])[i].value();
    const int64_t two = (*shapes[1])[i].value();
    const int64_t three = (*shapes[2])[i].value();
    if (one == two && one == three) continue;
    if (axis != kNoAxis || two != 2 * one || three != 3 * one) return kNoAxis;
    axis = i;
  }
  return axis;
}

// ---- The axes of inputs ----

// Where the layouts of `model` have N, by what changes when it changes. The
// parameters alone can take any number there.
absl::StatusOr<std::vector<int>> InputAxes(const Model& model) {
  Model inputs;
  for (const Node* parameter : model.parameters()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        Node * copy,
        inputs.Add(parameter->op(), {}, parameter->attributes().Clone(),
                   parameter->name()));
    copy->rt_info() = parameter->rt_info();
    copy->port().rt_info = parameter->port().rt_info;
  }
  constexpr int64_t kUnlikely = 1000003;
  DOVETAIL_RETURN_IF_ERROR(inputs.SetBatch(kUnlikely));
  std::vector<int> axes;
  for (const Node* parameter : inputs.parameters()) {
    const PartialShape& shape = parameter->port().shape;
    int axis = 0;
    while (shape[axis] != Dimension(kUnlikely)) ++axis;
    axes.push_back(axis);
  }
  return axes;
}

// ---- The proof ----

class Prover {
 public:
  explicit Prover(const std::array<const Model*, kCopies>& models)
      : models_(models) {}

  absl::Status Prove() {
    for (size_t i = 0; i < kCopies; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(orders_[i], models_[i]->TopologicalOrder());
    }
    for (size_t i = 0; i < orders_[0].size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(ProveNode(i));
    }
    return absl::OkStatus();
  }

  // kNoAxis: it is no row.
  int AxisOf(Value value) const {
    const auto it = kinds_.find(value);
    return it == kinds_.end() ? kNoAxis : it->second.axis;
  }

 private:
  // What a value of the model for one request is.
  struct Kind {
    int axis = kNoAxis;     // that rows lie along
    bool is_shape = false;  // it depends on how many rows there are
  };

  absl::Status ProveNode(size_t number) {
    const Node& node = *orders_[0][number];
    if (node.op().Has(kReadsState) || node.op().Has(kNondeterministic)) {
      return Refused(node, node.op().Has(kReadsState)
                               ? "keeps a state from one inference to the next"
                               : "gives other numbers for another batch");
    }
    bool reads_rows = false;
    bool reads_shape = node.op().Has(kReadsOnlyShape);
    for (const Value input : node.inputs()) {
      const Kind kind = KindOf(input);
      reads_rows |= kind.axis != kNoAxis;
      reads_shape |= kind.is_shape;
    }
    if (node.Is("Result")) return absl::OkStatus();
    if (node.Is("Parameter")) return AddOutputs(number, true);
    if (reads_rows && !node.op().Has(kReadsOnlyShape)) {
      return ProveRows(number);
    }
    if (reads_shape) AddShape(number);
    return absl::OkStatus();
  }

  absl::Status ProveRows(size_t number) {
    const Node& node = *orders_[0][number];
    RowsOfNode rows = {&node, {}, {}, {}};
    for (const Value input : node.inputs()) {
      const Kind kind = KindOf(input);
      rows.inputs.push_back(kind.axis);
      rows.is_shape.push_back(kind.is_shape);
    }
    for (int i = 0; i < node.output_count(); ++i) {
      rows.outputs.push_back(GrowingAxis(ShapesOf(number, i)));
    }
    if (rows.outputs[0] != kNoAxis) {
      const std::string why = WhyRowsMix(rows);
      if (!why.empty()) return Refused(node, why);
    }
    return AddOutputs(number, false);
  }

  absl::Status AddOutputs(size_t number, bool is_input) {
    Node& node = *orders_[0][number];
    for (int i = 0; i < node.output_count(); ++i) {
      const Shapes shapes = ShapesOf(number, i);
      const int axis = GrowingAxis(shapes);
      if (axis == kNoAxis && (i == 0 || !node.port(i).uses.empty())) {
        return Refused(node, is_input ? "has an axis 0 of extent 0"
                                      : "gives something of shape " +
                                            shapes[0]->ToString() +
                                            " whose rows cannot be told apart");
      }
      kinds_[Value{&node, i}] = {axis, false};
    }
    return absl::OkStatus();
  }

  // What depends on the number of rows alone, though equal values do not, and
  // one value for all rows is as good as rows.
  void AddShape(size_t number) {
    Node& node = *orders_[0][number];
    for (int i = 0; i < node.output_count(); ++i) {
      const int axis = RepeatedAxis(number, i);
      if (axis != kNoAxis) {
        kinds_[Value{&node, i}] = {axis, false};
      } else if (!IsSameInAll(number, i)) {
        kinds_[Value{&node, i}] = {kNoAxis, true};
      }
    }
  }

  bool IsSameInAll(size_t number, int i) const {
    const auto& first = orders_[0][number]->port(i).value;
    if (!first.has_value() || !first->is_exact()) return false;
    return AllEqual(ShapesOf(number, i)) &&
           first == orders_[1][number]->port(i).value &&
           first == orders_[2][number]->port(i).value;
  }

  // Of a Broadcast that makes as many of something as there are rows.
  int RepeatedAxis(size_t number, int i) const {
    const Node& node = *orders_[0][number];
    const auto* const attributes = node.As<BroadcastAttributes>();
    if (attributes == nullptr || KindOf(node.input(0)).is_shape ||
        attributes->mode == BroadcastMode::kExplicit ||
        attributes->mode == BroadcastMode::kPdpd) {
      return kNoAxis;
    }
    const int axis = GrowingAxis(ShapesOf(number, i));
    if (axis == kNoAxis) return kNoAxis;
    const PartialShape& data = node.input(0).shape();
    const int in = axis - node.port(i).shape.rank() + data.rank();
    return in < 0 || data[in] == Dimension(1) ? axis : kNoAxis;
  }

  Shapes ShapesOf(size_t number, int i) const {
    Shapes shapes;
    for (size_t k = 0; k < kCopies; ++k) {
      shapes[k] = &orders_[k][number]->port(i).shape;
    }
    return shapes;
  }

  Kind KindOf(Value value) const {
    const auto it = kinds_.find(value);
    return it == kinds_.end() ? Kind() : it->second;
  }

  static absl::Status Refused(const Node& node, const std::string& why) {
    return Unimplemented(node.Describe(), " ", why);
  }

  const std::array<const Model*, kCopies> models_;
  std::array<std::vector<Node*>, kCopies> orders_;
  std::map<Value, Kind> kinds_;
};

absl::Status CheckStatic(const Model& model) {
  if (model.parameters().empty() || model.results().empty()) {
    return Unimplemented("the model has no inputs or no outputs");
  }
  if (!model.sinks().empty()) {
    return Unimplemented(model.sinks().front()->Describe(),
                         " keeps a state from one inference to the next");
  }
  for (const Node* parameter : model.parameters()) {
    const PartialShape& shape = parameter->port().shape;
    if (!shape.is_static() || shape.rank() == 0) {
      return Unimplemented(parameter->Describe(), " has the shape ",
                           shape.ToString(), ", in which no rows can be told");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> BatchOf(const Model& model,
                                               const std::vector<int>& axes,
                                               int64_t count) {
  std::unique_ptr<Model> copy = model.Clone();
  std::map<int, PartialShape> shapes;
  for (size_t i = 0; i < axes.size(); ++i) {
    PartialShape shape = model.parameters()[i]->port().shape;
    shape[axes[i]] = count * shape[axes[i]].value();
    shapes[static_cast<int>(i)] = shape;
  }
  DOVETAIL_RETURN_IF_ERROR(Annotate(copy->ReshapeByIndex(shapes),
                                    "the model is for one request only"));
  return copy;
}

absl::StatusOr<BatchAxes> FindBatchAxes(const Model& model) {
  DOVETAIL_RETURN_IF_ERROR(CheckStatic(model));
  BatchAxes axes;
  DOVETAIL_ASSIGN_OR_RETURN(axes.inputs, InputAxes(model));
  std::array<std::unique_ptr<Model>, kCopies> copies;
  std::array<const Model*, kCopies> models;
  for (size_t i = 0; i < kCopies; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        copies[i], BatchOf(model, axes.inputs, static_cast<int64_t>(i + 1)));
    models[i] = copies[i].get();
  }
  Prover prover(models);
  DOVETAIL_RETURN_IF_ERROR(prover.Prove());
  for (const Node* result : models[0]->results()) {
    const int axis = prover.AxisOf(result->input(0));
    if (axis == kNoAxis) {
      return Unimplemented(result->Describe(), " does not differ by row");
    }
    axes.outputs.push_back(axis);
  }
  return axes;
}

}  // namespace dovetail::batch
