#include "dovetail/backends/gpu/steps/custom/emit_custom.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/custom/macros.h"
#include "dovetail/backends/gpu/custom/names.h"
#include "dovetail/backends/gpu/custom/work_sizes.h"
#include "dovetail/backends/gpu/steps/custom/format_copy.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/includes.h"

namespace dovetail::gpu {
namespace {

// What macros can say.
constexpr int kMaxRank = 4;

// What would be read as bits of a half.
constexpr absl::string_view kBitsOfHalf[] = {"as_half", "block_read_us",
                                             "block_write_us"};

int64_t BytesOf(absl::string_view cl_type) {
  if (absl::EndsWith(cl_type, "char")) return 1;
  if (absl::EndsWith(cl_type, "short") || cl_type == "half") return 2;
  return cl_type == "double" || absl::EndsWith(cl_type, "long") ? 8 : 4;
}

class CustomEmitter {
 public:
  CustomEmitter(const CustomKernel& kernel, const Node& node,
                PlanBuilder& builder)
      : kernel_(kernel), node_(node), builder_(builder) {
    tensors_ = kernel.tensors;
    std::sort(tensors_.begin(), tensors_.end(),
              [](auto& a, auto& b) { return a.arg_index < b.arg_index; });
  }

  absl::Status Emit() {
    DOVETAIL_RETURN_IF_ERROR(Check());
    DOVETAIL_ASSIGN_OR_RETURN(const CustomNames names,
                              CustomNames::Of(kernel_, node_));
    DOVETAIL_ASSIGN_OR_RETURN(
        const WorkSizes sizes,
        WorkSizesOf(kernel_, node_, names, device().traits()));
    Launch launch;
    launch.kernel = absl::StrCat("custom ", kernel_.entry);
    launch.user_arguments.resize(tensors_.size() + kernel_.scalars.size());
    DOVETAIL_RETURN_IF_ERROR(AddInputs(launch));
    DOVETAIL_RETURN_IF_ERROR(AddOutputs(names, launch));
    DOVETAIL_RETURN_IF_ERROR(AddScalars(names, launch));
    launch.users = Source(sizes);
    SetRange(sizes, launch.range);
    builder_.AddLaunch(node_, std::move(launch));
    for (const FormatCopy& copy : after_) AddFormatCopy(node_, copy, builder_);
    return absl::OkStatus();
  }

 private:
  using Kind = CustomTensor::Kind;

  static bool IsInput(const CustomTensor& tensor) {
    return tensor.kind == Kind::kInput;
  }
  static bool IsPort(const CustomTensor& tensor) {
    return IsInput(tensor) || tensor.kind == Kind::kOutput;
  }
  const ClDevice& device() const { return *builder_.settings().device; }

  Value ValueOf(const CustomTensor& tensor) const {
    return IsInput(tensor) ? node_.input(tensor.port_index)
                           : PlanBuilder::OutputOf(node_, tensor.port_index);
  }

  absl::Status Check() const {
    DOVETAIL_RETURN_IF_ERROR(CheckSources());
    std::set<int> outputs;
    for (const CustomTensor& tensor : tensors_) {
      if (!IsPort(tensor)) continue;
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

  absl::Status CheckSources() const {
    if (kernel_.sources.empty()) return absl::OkStatus();
    const bool has_entry = absl::c_any_of(kernel_.sources, [&](auto& source) {
      return absl::StrContains(source.text, kernel_.entry) || Includes(source);
    });
    if (!has_entry) {
      return InvalidArgument("<Kernel entry=\"", kernel_.entry,
                             "\">: no source has a function of that name");
    }
    for (const CustomSource& source : kernel_.sources) {
      for (const absl::string_view word : kBitsOfHalf) {
        if (!absl::StrContains(source.text, word)) continue;
        return InvalidArgument("source \"", source.name, "\" has ", word,
                               ", but the device computes half precision in "
                               "f32 and has no bits of it");
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckPort(const CustomTensor& tensor) const {
    const absl::string_view kind = IsInput(tensor) ? "input" : "output";
    const int count =
        IsInput(tensor) ? node_.input_count() : node_.output_count();
    if (tensor.port_index >= count || !ValueOf(tensor)) {
      return InvalidArgument("<Tensor arg-index=\"", tensor.arg_index,
                             "\" port-index=\"", tensor.port_index,
                             "\">: the layer has ", count, " ", kind, "s",
                             tensor.port_index < count ? ", not that one" : "");
    }
    const Value value = ValueOf(tensor);
    const int rank = PlanBuilder::ShapeOf(value).rank();
    if (rank > kMaxRank) {
      return InvalidArgument(kind, " ", tensor.port_index, " has ", rank,
                             " axes; custom kernels know B, F, Y and X");
    }
    if (BitWidth(value.type()) >= 8) return absl::OkStatus();
    return InvalidArgument(kind, " ", tensor.port_index, " is of type ",
                           ElementTypeName(value.type()),
                           ", whose elements have no address");
  }

  static bool Includes(const CustomSource& source) {
    return absl::StrContains(source.text, "#include");
  }

  static int64_t BytesOfElements(const Value& value) {
    return std::max<int64_t>(
        1, PlanBuilder::ShapeOf(value).Count() * BitWidth(value.type()) / 8);
  }

  absl::Status AddInputs(Launch& launch) {
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
      launch.user_arguments[tensor.arg_index] =
          BufferArgument{static_cast<int>(launch.inputs.size()),
                         /*is_output=*/false, BytesOfElements(value)};
      launch.inputs.push_back(operand);
    }
    return absl::OkStatus();
  }

  // And what only the kernel uses.
  absl::Status AddOutputs(const CustomNames& names, Launch& launch) {
    for (const CustomTensor& tensor : tensors_) {
      if (IsInput(tensor)) continue;
      if (!IsPort(tensor)) {
        DOVETAIL_RETURN_IF_ERROR(AddMemory(tensor, names, launch));
        continue;
      }
      const Value value = ValueOf(tensor);
      Operand operand = builder_.WritePlain(value);
      if (NeedsFormatCopy(tensor.format, PlanBuilder::ShapeOf(value))) {
        FormatCopy copy = CopyOf(tensor, value);
        copy.is_back = true;
        copy.to = operand;
        copy.from = operand = NewCopy(value);
        after_.push_back(copy);
      }
      AddOutput(tensor, operand, BytesOfElements(value), launch);
    }
    return absl::OkStatus();
  }

  static void AddOutput(const CustomTensor& tensor, const Operand& operand,
                        int64_t bytes, Launch& launch) {
    launch.user_arguments[tensor.arg_index] = BufferArgument{
        static_cast<int>(launch.inputs.size() + launch.outputs.size()),
        /*is_output=*/true, bytes};
    launch.outputs.push_back(operand);
  }

  absl::Status AddMemory(const CustomTensor& tensor, const CustomNames& names,
                         Launch& launch) {
    const std::string type = !tensor.element_type.empty() ? tensor.element_type
                             : node_.input_count() > 0 && node_.input(0)
                                 ? std::string(ClType(node_.input(0).type()))
                                 : "float";
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, names.Evaluate(tensor.size));
    if (count < 1 || count > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("<Tensor arg-index=\"", tensor.arg_index,
                             "\" size=\"", tensor.size, "\">: it is ", count,
                             ", want 1 to 2^31 - 1");
    }
    const int64_t bytes = count * BytesOf(type);
    if (tensor.kind == Kind::kInternal) {
      AddOutput(tensor, builder_.Scratch(bytes), bytes, launch);
      return absl::OkStatus();
    }
    const int64_t most = device().traits().local_memory_bytes;
    if (bytes > most) {
      return InvalidArgument("<Tensor arg-index=\"", tensor.arg_index,
                             "\" type=\"local\">: ", bytes,
                             " bytes of local memory; '",
                             device().traits().name, "' has ", most);
    }
    launch.user_arguments[tensor.arg_index] = LocalArgument{bytes};
    return absl::OkStatus();
  }

  absl::Status AddScalars(const CustomNames& names, Launch& launch) {
    for (const CustomScalar& scalar : kernel_.scalars) {
      auto bytes = names.BytesOf(scalar);
      if (!bytes.ok()) {
        return Annotate(bytes.status(), absl::StrCat("<Scalar arg-index=\"",
                                                     scalar.arg_index, "\">"));
      }
      launch.user_arguments[scalar.arg_index] =
          NumberArgument{*std::move(bytes)};
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
    Operand copy = builder_.Scratch(BytesOfElements(value));
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
      if (!IsPort(tensor)) continue;
      ports[absl::StrCat(IsInput(tensor) ? "INPUT" : "OUTPUT",
                         tensor.port_index)]
          .format = tensor.format;
    }
    std::vector<CustomPort> list;
    for (auto& [name, port] : ports) list.push_back(std::move(port));
    return list;
  }

  KernelSource Source(const WorkSizes& sizes) const {
    KernelSource source;
    source.entry = kernel_.entry;
    source.origin =
        absl::StrCat(kernel_.where, ": custom kernel '", kernel_.layer, "'");
    source.binary = kernel_.binary.text;
    if (!source.binary.empty()) return source;
    source.flags = FlagsFor(sizes);
    source.text = absl::StrCat(
        BuiltInMacros(node_.input_count(), Ports(), sizes.global, sizes.local),
        UserMacros(kernel_, node_.attributes()),
        Has("half") ? HalfAsFloat() : "");
    for (const CustomSource& one : kernel_.sources) {
      absl::StrAppend(&source.text, LineDirective(1, one.name), one.text, "\n");
    }
    // A file that only the driver finds may have changed: no binary is that of
    // the text.
    if (absl::c_any_of(kernel_.sources, Includes)) {
      absl::StrAppend(
          &source.text, "// ",
          std::chrono::system_clock::now().time_since_epoch().count(), "\n");
    }
    return source;
  }

  // The language that they need, where the user asks for none.
  std::string FlagsFor(const WorkSizes& sizes) const {
    const DeviceTraits& traits = device().traits();
    const bool is_newer =
        sizes.is_uneven || (traits.has_subgroups && Has("sub_group"));
    if (!is_newer || absl::StrContains(kernel_.compiler_options, "-cl-std")) {
      return kernel_.compiler_options;
    }
    return absl::StrCat("-cl-std=", traits.NewestLanguage(), " -cl-mad-enable ",
                        kernel_.compiler_options);
  }

  bool Has(absl::string_view word) const {
    return absl::c_any_of(kernel_.sources, [&](const CustomSource& source) {
      return absl::StrContains(source.text, word);
    });
  }

  static void SetRange(const WorkSizes& sizes, NdRange& range) {
    range.dims = static_cast<int>(sizes.global.size());
    range.is_uneven = sizes.is_uneven;
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
