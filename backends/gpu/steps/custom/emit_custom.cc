#include "dovetail/backends/gpu/steps/custom/emit_custom.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/custom/macros.h"
#include "dovetail/backends/gpu/custom/work_sizes.h"
#include "dovetail/backends/gpu/steps/custom/format_copy.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// What macros can say.
constexpr int kMaxRank = 4;

class CustomEmitter {
 public:
  CustomEmitter(const CustomKernel& kernel, const Node& node,
                PlanBuilder& builder)
      : kernel_(kernel), node_(node), builder_(builder) {
    tensors_ = kernel.tensors;
    std::sort(tensors_.begin(), tensors_.end(),
              [](auto& a, auto& b) { return a.arg_index < b.arg_index; });
    // The only one means the only output, whatever its number: so tutorials
    // have it.
    const auto is_output = [](const CustomTensor& tensor) {
      return tensor.kind == CustomTensor::Kind::kOutput;
    };
    if (std::count_if(tensors_.begin(), tensors_.end(), is_output) == 1) {
      std::find_if(tensors_.begin(), tensors_.end(), is_output)->port_index = 0;
    }
  }

  absl::Status Emit() {
    DOVETAIL_RETURN_IF_ERROR(Check());
    DOVETAIL_ASSIGN_OR_RETURN(const WorkSizes sizes,
                              WorkSizesOf(kernel_, node_));
    Launch launch;
    launch.kernel = absl::StrCat("custom ", kernel_.entry);
    DOVETAIL_RETURN_IF_ERROR(AddTensors(launch));
    AddText(sizes, launch);
    SetRange(sizes, launch.range);
    builder_.AddLaunch(node_, std::move(launch));
    for (const FormatCopy& copy : after_) AddFormatCopy(node_, copy, builder_);
    return absl::OkStatus();
  }

 private:
  static bool IsInput(const CustomTensor& tensor) {
    return tensor.kind == CustomTensor::Kind::kInput;
  }

  Value ValueOf(const CustomTensor& tensor) const {
    return IsInput(tensor) ? node_.input(tensor.port_index)
                           : PlanBuilder::OutputOf(node_, tensor.port_index);
  }

  absl::Status Check() const {
    const bool has_entry = absl::c_any_of(kernel_.sources, [&](auto& source) {
      return absl::StrContains(source.text, kernel_.entry) || Includes(source);
    });
    if (!has_entry) {
      return InvalidArgument("<Kernel entry=\"", kernel_.entry,
                             "\">: no source has a function of that name");
    }
    std::set<int> outputs;
    for (const CustomTensor& tensor : tensors_) {
      const int count =
          IsInput(tensor) ? node_.input_count() : node_.output_count();
      if (tensor.port_index >= count) {
        return InvalidArgument("<Tensor arg-index=\"", tensor.arg_index,
                               "\" port-index=\"", tensor.port_index,
                               "\">: the layer has ", count,
                               IsInput(tensor) ? " inputs" : " outputs");
      }
      DOVETAIL_RETURN_IF_ERROR(CheckPort(tensor));
      if (!IsInput(tensor)) outputs.insert(tensor.port_index);
    }
    for (int i = 0; i < node_.output_count(); ++i) {
      if (outputs.count(i) > 0 || node_.port(i).uses.empty()) continue;
      return InvalidArgument("no <Tensor> writes output ", i,
                             ", which other layers read");
    }
    return absl::OkStatus();
  }

  absl::Status CheckPort(const CustomTensor& tensor) const {
    const Value value = ValueOf(tensor);
    const int rank = PlanBuilder::ShapeOf(value).rank();
    if (rank > kMaxRank) {
      return InvalidArgument(IsInput(tensor) ? "input " : "output ",
                             tensor.port_index, " has ", rank,
                             " axes; custom kernels know B, F, Y and X");
    }
    if (BitWidth(value.type()) < 8) {
      return InvalidArgument(IsInput(tensor) ? "input " : "output ",
                             tensor.port_index, " is of type ",
                             ElementTypeName(value.type()),
                             ", whose elements have no address");
    }
    return absl::OkStatus();
  }

  static bool Includes(const CustomSource& source) {
    return absl::StrContains(source.text, "#include");
  }

  static std::string ArgumentOf(const CustomTensor& tensor) {
    return absl::StrCat(IsInput(tensor) ? "dovetail_in" : "dovetail_out",
                        tensor.arg_index);
  }

  // Inputs come before outputs in our kernel, which calls the user's.
  absl::Status AddTensors(Launch& launch) {
    for (const CustomTensor& tensor : tensors_) {
      if (!IsInput(tensor)) continue;
      const Value value = ValueOf(tensor);
      DOVETAIL_ASSIGN_OR_RETURN(Operand operand, builder_.ReadPlain(value));
      if (NeedsFormatCopy(tensor.format, PlanBuilder::ShapeOf(value))) {
        FormatCopy copy = CopyOf(tensor, value);
        copy.from = operand;
        copy.to = operand = NewCopy(value);
        AddFormatCopy(node_, copy, builder_);
      }
      launch.writer.Input(ArgumentOf(tensor), ClType(value.type()));
      launch.inputs.push_back(operand);
    }
    for (const CustomTensor& tensor : tensors_) {
      if (IsInput(tensor)) continue;
      const Value value = ValueOf(tensor);
      Operand operand = builder_.WritePlain(value);
      if (NeedsFormatCopy(tensor.format, PlanBuilder::ShapeOf(value))) {
        FormatCopy copy = CopyOf(tensor, value);
        copy.is_back = true;
        copy.to = operand;
        copy.from = operand = NewCopy(value);
        after_.push_back(copy);
      }
      launch.writer.Output(ArgumentOf(tensor), ClType(value.type()));
      launch.outputs.push_back(operand);
    }
    return absl::OkStatus();
  }

  static FormatCopy CopyOf(const CustomTensor& tensor, Value value) {
    FormatCopy copy;
    copy.type = value.type();
    copy.shape = PlanBuilder::ShapeOf(value);
    copy.format = tensor.format;
    return copy;
  }

  Operand NewCopy(Value value) {
    Operand copy = builder_.Scratch(std::max<int64_t>(
        1, PlanBuilder::ShapeOf(value).Count() * BitWidth(value.type()) / 8));
    copy.format.type = value.type();
    return copy;
  }

  std::vector<CustomPort> Ports() const {
    std::map<std::string, CustomPort> ports;
    const auto add = [&](const char* kind, int index, Value value) {
      const std::string name = absl::StrCat(kind, index);
      ports[name] = {name, value.type(), PlanBuilder::ShapeOf(value),
                     CustomFormat::kBfyx};
    };
    for (int i = 0; i < node_.input_count(); ++i) {
      if (node_.input(i)) add("INPUT", i, node_.input(i));
    }
    for (int i = 0; i < node_.output_count(); ++i) {
      add("OUTPUT", i, PlanBuilder::OutputOf(node_, i));
    }
    for (const CustomTensor& tensor : tensors_) {
      ports[absl::StrCat(IsInput(tensor) ? "INPUT" : "OUTPUT",
                         tensor.port_index)]
          .format = tensor.format;
    }
    std::vector<CustomPort> list;
    for (auto& [name, port] : ports) list.push_back(std::move(port));
    return list;
  }

  // The user's kernel is a function that ours calls with pointers: ours takes
  // each buffer with an offset, as all tensors lie in one.
  void AddText(const WorkSizes& sizes, Launch& launch) const {
    std::string source = absl::StrCat(
        BuiltInMacros(node_.input_count(), Ports(), sizes.global, sizes.local),
        UserMacros(kernel_, node_.attributes()));
    for (const CustomSource& one : kernel_.sources) {
      absl::StrAppend(&source, "#line 1 \"", one.name, "\"\n", one.text, "\n");
    }
    // A file that is included may have changed: no binary is that of the text.
    if (absl::c_any_of(kernel_.sources, Includes)) {
      absl::StrAppend(
          &source, "// ",
          std::chrono::system_clock::now().time_since_epoch().count(), "\n");
    }
    absl::StrAppend(&source, "#line 1 \"call of ", kernel_.entry, "\"\n");
    launch.writer.Helper(source);
    std::vector<std::string> arguments;
    for (const CustomTensor& tensor : tensors_) {
      arguments.push_back(ArgumentOf(tensor));
    }
    launch.writer.Body(absl::StrCat("  ", kernel_.entry, "(",
                                    absl::StrJoin(arguments, ", "), ");\n"));
    launch.writer.Alone(
        kernel_.compiler_options,
        absl::StrCat(kernel_.where, ": custom kernel '", kernel_.layer, "'"));
  }

  static void SetRange(const WorkSizes& sizes, NdRange& range) {
    range.dims = static_cast<int>(sizes.global.size());
    for (size_t i = 0; i < sizes.global.size(); ++i) {
      range.global[i] = sizes.global[i];
      if (!sizes.local.empty()) range.local[i] = sizes.local[i];
    }
  }

  const CustomKernel& kernel_;
  const Node& node_;
  PlanBuilder& builder_;
  std::vector<CustomTensor> tensors_;  // by arg-index
  std::vector<FormatCopy> after_;      // of outputs
};

}  // namespace

absl::Status EmitCustom(const CustomKernel& kernel, const Node& node,
                        PlanBuilder& builder) {
  return Annotate(CustomEmitter(kernel, node, builder).Emit(),
                  absl::StrCat(kernel.where, ": custom kernel '", kernel.layer,
                               "' for ", node.Describe()));
}

}  // namespace dovetail::gpu
