#include "dovetail/backends/vpu/custom/resolve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/vpu/custom/layer_sizes.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

using Kind = ShaveArgument::Kind;

constexpr int64_t kMostLocalBytes = 100 * 1024;
constexpr int kMostGroups = 1 << 22;
constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();

class Resolver {
 public:
  Resolver(const ShaveKernel& kernel, const Node& node, const LayerSizes& sizes)
      : kernel_(kernel), node_(node), sizes_(sizes) {
    resolved_.images = sizes.images();
  }

  absl::StatusOr<ResolvedKernel> Run(
      const std::vector<std::string>& parameters) {
    for (const std::string& parameter : parameters) {
      const auto it = absl::c_find_if(
          kernel_.arguments,
          [&](const ShaveArgument& one) { return one.name == parameter; });
      if (it == kernel_.arguments.end()) {
        return InvalidArgument(kernel_.where, ": <Parameters> have no ",
                               "arg-name=\"", parameter,
                               "\", which is a parameter of ", kernel_.entry);
      }
      DOVETAIL_ASSIGN_OR_RETURN(ResolvedArgument argument, Argument(*it));
      resolved_.arguments.push_back(std::move(argument));
    }
    DOVETAIL_RETURN_IF_ERROR(CheckNames(parameters));
    DOVETAIL_RETURN_IF_ERROR(CheckLocal());
    DOVETAIL_RETURN_IF_ERROR(
        WorkSizes(kernel_.global, "global", resolved_.global));
    DOVETAIL_RETURN_IF_ERROR(
        WorkSizes(kernel_.local, "local", resolved_.local));
    return FullGroups();
  }

 private:
  absl::StatusOr<ResolvedArgument> Argument(const ShaveArgument& argument) {
    ResolvedArgument resolved;
    resolved.kind = argument.kind;
    resolved.port = argument.port;
    absl::Status status;
    if (IsTensor(argument)) {
      status = Tensor(argument, resolved);
    } else if (argument.kind == Kind::kInt || argument.kind == Kind::kFloat) {
      status = Number(argument, resolved);
    } else if (argument.kind == Kind::kData) {
      status = Data(argument, resolved);
    } else if (argument.kind != Kind::kInputBuffer) {
      status = Memory(argument, resolved);
    }
    if (!status.ok()) return ArgumentError(argument, status.message());
    return resolved;
  }

  absl::Status Tensor(const ShaveArgument& argument,
                      ResolvedArgument& resolved) {
    const bool is_output = argument.kind == Kind::kOutput;
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              sizes_.ShapeOf(is_output, argument.port));
    const ElementType type = is_output ? node_.port(argument.port).type
                                       : node_.input(argument.port).type();
    const int64_t bits = BitWidth(type);
    const bool is_looped = sizes_.IsLooped(argument, shape);
    const int64_t images = is_looped ? resolved_.images : 1;
    const int64_t count = shape.Count() / std::max<int64_t>(images, 1);
    resolved.bytes = CeilDivide(count * bits, 8);
    resolved.element_bytes = bits / 8;
    resolved.is_looped = images > 1;
    resolved.is_moved = argument.format == ShaveFormat::kByxf ||
                        argument.format == ShaveFormat::kYxf;
    if (bits < 8 && (resolved.is_looped || resolved.is_moved)) {
      return InvalidArgument("its elements are of type ", ElementTypeName(type),
                             ", several to a byte; want format=\"ANY\"");
    }
    if (resolved.is_moved && shape.rank() < 3) {
      return InvalidArgument("channels last needs three axes, and it has ",
                             shape.rank());
    }
    if (resolved.is_moved) {
      resolved.channels = shape[shape.rank() - 3];
      resolved.pixels = shape[shape.rank() - 2] * shape[shape.rank() - 1];
    }
    return absl::OkStatus();
  }

  // A constant is an input like others, found by its name.
  absl::Status Data(const ShaveArgument& argument, ResolvedArgument& resolved) {
    ShaveArgument input = argument;
    input.kind = resolved.kind = Kind::kInput;
    DOVETAIL_ASSIGN_OR_RETURN(input.port, ConstantPort(argument.source));
    resolved.port = input.port;
    return Tensor(input, resolved);
  }

  absl::StatusOr<int> ConstantPort(const std::string& source) const {
    std::vector<std::string> known;
    int number = -1, found = -1;
    if (absl::SimpleAtoi(source, &number)) return number;
    for (int i = 0; i < node_.input_count(); ++i) {
      if (!node_.input(i) || !node_.input(i).node->Is("Constant")) continue;
      const absl::string_view legacy = known.empty()       ? "weights"
                                       : known.size() == 1 ? "biases"
                                                           : "";
      const std::string& name = node_.input(i).node->name();
      if (source == legacy || source == name) found = i;
      known.push_back(name);
    }
    if (found >= 0) return found;
    return InvalidArgument(
        "source=\"", source, "\" is no constant of the ",
        "layer; want \"weights\" for the first, \"biases\" ",
        "for the second, the number of an input, or one of: ",
        absl::StrJoin(known, ", "));
  }

  absl::Status Memory(const ShaveArgument& argument,
                      ResolvedArgument& resolved) {
    DOVETAIL_ASSIGN_OR_RETURN(resolved.bytes,
                              sizes_.Evaluate(argument.size, argument.dim));
    if (resolved.bytes >= 1 && resolved.bytes <= kMostBytes) {
      return absl::OkStatus();
    }
    return InvalidArgument("size=\"", argument.size, "\" is ", resolved.bytes,
                           " bytes, want 1 to ", kMostBytes);
  }

  // "I.X" and "O.F"; nothing: no such name.
  absl::StatusOr<std::optional<double>> SizeNamed(
      const ShaveArgument& argument) const {
    const std::string source = absl::AsciiStrToUpper(argument.source);
    const bool is_size = source.size() == 3 && source[1] == '.' &&
                         (source[0] == 'I' || source[0] == 'O');
    if (!is_size) return std::optional<double>();
    DOVETAIL_ASSIGN_OR_RETURN(
        const int64_t value,
        sizes_.Evaluate(source.substr(2),
                        {source[0] == 'O', std::max(0, argument.port)}));
    return std::optional<double>(static_cast<double>(value));
  }

  absl::StatusOr<double> NumberOf(const ShaveArgument& argument) const {
    DOVETAIL_ASSIGN_OR_RETURN(const std::optional<double> size,
                              SizeNamed(argument));
    if (size.has_value()) return *size;
    double value = 0;
    const auto it = sizes_.attributes().find(argument.source);
    if (it == sizes_.attributes().end()) {
      if (absl::SimpleAtod(argument.source, &value)) return value;
      return InvalidArgument("source=\"", argument.source,
                             "\" is no attribute of the layer, no size such as "
                             "I.X, and no number");
    }
    const std::vector<std::string> list = absl::StrSplit(it->second, ',');
    const size_t at =
        argument.port < 0 ? 0 : static_cast<size_t>(argument.port);
    if (at < list.size() && absl::SimpleAtod(list[at], &value)) return value;
    return InvalidArgument("attribute ", argument.source, " is \"", it->second,
                           "\", which has no number at ", at);
  }

  absl::Status Number(const ShaveArgument& argument,
                      ResolvedArgument& resolved) {
    DOVETAIL_ASSIGN_OR_RETURN(const double value, NumberOf(argument));
    if (argument.kind == Kind::kFloat) {
      const float narrow = static_cast<float>(value);
      resolved.value.assign(reinterpret_cast<const char*>(&narrow),
                            sizeof(narrow));
      return absl::OkStatus();
    }
    if (value != std::trunc(value) || std::abs(value) > kMostBytes) {
      return InvalidArgument("source=\"", argument.source, "\" is ", value,
                             ", which is no int");
    }
    const int32_t whole = static_cast<int32_t>(value);
    resolved.value.assign(reinterpret_cast<const char*>(&whole), sizeof(whole));
    return absl::OkStatus();
  }

  absl::Status CheckNames(const std::vector<std::string>& parameters) const {
    for (const ShaveArgument& argument : kernel_.arguments) {
      if (absl::c_linear_search(parameters, argument.name)) continue;
      return ArgumentError(argument,
                           absl::StrCat("kernel ", kernel_.entry,
                                        " has no parameter of this name"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckLocal() const {
    int64_t bytes = 0;
    for (const ResolvedArgument& one : resolved_.arguments) {
      if (one.kind == Kind::kLocal) bytes += one.bytes;
    }
    if (bytes <= kMostLocalBytes) return absl::OkStatus();
    return InvalidArgument(kernel_.where, ": kernel ", kernel_.entry, " needs ",
                           bytes, " bytes of local memory; a SHAVE has ",
                           kMostLocalBytes);
  }

  absl::Status WorkSizes(const std::vector<std::string>& expressions,
                         const char* attribute,
                         std::array<size_t, 3>& sizes) const {
    for (size_t i = 0; i < expressions.size(); ++i) {
      const auto value = sizes_.Evaluate(expressions[i], kernel_.dim);
      if (!value.ok() || *value < 1 || *value > kMostBytes) {
        return InvalidArgument(
            kernel_.where, ": <WorkSizes ", attribute, ">: ",
            value.ok() ? absl::StrCat("'", expressions[i], "' is ", *value,
                                      ", want 1 to ", kMostBytes)
                       : std::string(value.status().message()));
      }
      sizes[i] = static_cast<size_t>(*value);
    }
    return absl::OkStatus();
  }

  // What does not fill a group is left out, as on the processor.
  absl::StatusOr<ResolvedKernel> FullGroups() {
    double all = 1;
    for (size_t i = 0; i < 3; ++i) {
      const size_t groups = resolved_.global[i] / resolved_.local[i];
      if (groups == 0) {
        return InvalidArgument(kernel_.where,
                               ": <WorkSizes>: ", resolved_.global[i],
                               " work items do not fill a "
                               "group of ",
                               resolved_.local[i]);
      }
      resolved_.global[i] = groups * resolved_.local[i];
      all *= static_cast<double>(groups);
    }
    if (all > kMostGroups) {
      return InvalidArgument(kernel_.where, ": <WorkSizes>: ", all,
                             " work groups, more than ", kMostGroups);
    }
    return std::move(resolved_);
  }

  const ShaveKernel& kernel_;
  const Node& node_;
  const LayerSizes& sizes_;
  ResolvedKernel resolved_;
};

}  // namespace

absl::StatusOr<ResolvedKernel> Resolve(
    const ShaveKernel& kernel, const std::vector<std::string>& parameters,
    const Node& node) {
  DOVETAIL_ASSIGN_OR_RETURN(const LayerSizes sizes,
                            LayerSizes::Of(kernel, node));
  return Resolver(kernel, node, sizes).Run(parameters);
}

}  // namespace dovetail::vpu
