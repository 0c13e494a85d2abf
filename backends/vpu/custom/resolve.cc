#include "dovetail/backends/vpu/custom/resolve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/common/custom/attribute_texts.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"

namespace dovetail::vpu {
namespace {

using Kind = ShaveArgument::Kind;

constexpr int64_t kMostLocalBytes = 100 * 1024;
constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();

struct Sizes {
  int64_t b = 1, f = 1, y = 1, x = 1;
};

bool IsTensor(const ShaveArgument& argument) {
  return argument.kind == Kind::kInput || argument.kind == Kind::kOutput;
}

class Resolver {
 public:
  Resolver(const ShaveKernel& kernel, const Node& node)
      : kernel_(kernel),
        node_(node),
        attributes_(AttributeTexts(node.attributes())) {
    // An image of a batch is a launch, unless a tensor is taken as it is.
    loops_ = absl::c_none_of(kernel.arguments, [](const ShaveArgument& one) {
      return IsTensor(one) && one.format == ShaveFormat::kAny;
    });
  }

  absl::StatusOr<ResolvedKernel> Run(
      const std::vector<std::string>& parameters) {
    DOVETAIL_RETURN_IF_ERROR(FindImages());
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
    DOVETAIL_RETURN_IF_ERROR(WorkSizes(kernel_.local, "local", resolved_.local));
    return FullGroups();
  }

 private:
  template <typename... Parts>
  static absl::Status Problem(const ShaveArgument& argument,
                              const Parts&... parts) {
    return InvalidArgument(argument.where, ": arg-name=\"", argument.name,
                           "\": ", parts...);
  }

  absl::StatusOr<Shape> ShapeOf(bool is_output, int port) const {
    const int count = is_output ? node_.output_count() : node_.input_count();
    if (port >= count || (!is_output && !node_.input(port))) {
      return InvalidArgument("the layer has ", count,
                             is_output ? " outputs" : " inputs", ", none is ",
                             port);
    }
    return is_output ? node_.port(port).shape.ToShape()
                     : node_.input(port).shape().ToShape();
  }

  // The number of images, where batches of four axes are looped over.
  absl::Status FindImages() {
    for (const ShaveArgument& argument : kernel_.arguments) {
      if (!loops_ || !IsTensor(argument)) continue;
      const auto shape = ShapeOf(argument.kind == Kind::kOutput, argument.port);
      if (!shape.ok()) return Problem(argument, shape.status().message());
      if (shape->rank() == 4) {
        resolved_.images = std::max(resolved_.images, (*shape)[0]);
      }
    }
    return absl::OkStatus();
  }

  bool IsLooped(const Shape& shape) const {
    return loops_ && shape.rank() == 4 && shape[0] == resolved_.images;
  }

  // From the right, X first; two axes of a tensor that is BF are B and F.
  Sizes SizesOf(const Shape& shape, bool is_bf) const {
    Sizes sizes;
    const int rank = shape.rank();
    if (rank == 2 && is_bf) {
      sizes.b = shape[0];
      sizes.f = shape[1];
      return sizes;
    }
    int64_t* const all[] = {&sizes.x, &sizes.y, &sizes.f, &sizes.b};
    for (int i = 0; i < std::min(rank, 4); ++i) *all[i] = shape[rank - 1 - i];
    if (IsLooped(shape)) sizes.b = 1;
    return sizes;
  }

  absl::StatusOr<Sizes> SizesOf(const ShaveDim& dim) const {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              ShapeOf(dim.is_output, dim.port));
    const bool is_bf =
        absl::c_any_of(kernel_.arguments, [&](const ShaveArgument& one) {
          return one.format == ShaveFormat::kBf && one.port == dim.port &&
                 one.kind == (dim.is_output ? Kind::kOutput : Kind::kInput);
        });
    return SizesOf(shape, is_bf);
  }

  // A letter, or an attribute that is a whole number or has one at `index`.
  std::optional<int64_t> Named(const Sizes& sizes, absl::string_view name,
                               int64_t index) const {
    if (name.size() == 1 && index == -1) {
      switch (absl::ascii_toupper(name[0])) {
        case 'B':
          return sizes.b;
        case 'F':
          return sizes.f;
        case 'Y':
          return sizes.y;
        case 'X':
          return sizes.x;
      }
    }
    const auto it = attributes_.find(std::string(name));
    if (it == attributes_.end()) return std::nullopt;
    const std::vector<std::string> list = absl::StrSplit(it->second, ',');
    const size_t at = index < 0 ? 0 : static_cast<size_t>(index);
    int64_t value = 0;
    if ((index < 0 && list.size() != 1) || at >= list.size() ||
        !absl::SimpleAtoi(list[at], &value)) {
      return std::nullopt;
    }
    return value;
  }

  absl::StatusOr<int64_t> Evaluate(absl::string_view text,
                                   const ShaveDim& dim) const {
    DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(dim));
    return EvaluateSizeExpression(
        text, [&](absl::string_view name, int64_t index) {
          return Named(sizes, name, index);
        });
  }

  absl::StatusOr<ResolvedArgument> Argument(const ShaveArgument& argument) {
    ResolvedArgument resolved;
    resolved.kind = argument.kind;
    resolved.port = argument.port;
    absl::Status status;
    if (IsTensor(argument)) {
      status = Tensor(argument, resolved);
    } else if (argument.kind == Kind::kInt || argument.kind == Kind::kFloat) {
      status = Number(argument, resolved);
    } else if (argument.kind != Kind::kInputBuffer) {
      status = Memory(argument, resolved);
    }
    if (!status.ok()) return Problem(argument, status.message());
    return resolved;
  }

  absl::Status Tensor(const ShaveArgument& argument,
                      ResolvedArgument& resolved) {
    const bool is_output = argument.kind == Kind::kOutput;
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              ShapeOf(is_output, argument.port));
    const ElementType type = is_output ? node_.port(argument.port).type
                                       : node_.input(argument.port).type();
    const int64_t bits = BitWidth(type);
    if (bits < 8) {
      return InvalidArgument("its elements are of type ", ElementTypeName(type),
                             " and have no address");
    }
    const int64_t images = IsLooped(shape) ? resolved_.images : 1;
    const int64_t count = shape.Count() / std::max<int64_t>(images, 1);
    resolved.bytes = count * bits / 8;
    resolved.element_bytes = bits / 8;
    resolved.is_looped = images > 1;
    resolved.is_moved = argument.format == ShaveFormat::kByxf ||
                        argument.format == ShaveFormat::kYxf;
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

  absl::Status Memory(const ShaveArgument& argument,
                      ResolvedArgument& resolved) {
    DOVETAIL_ASSIGN_OR_RETURN(resolved.bytes,
                              Evaluate(argument.size, argument.dim));
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
        Evaluate(source.substr(2),
                 {source[0] == 'O', std::max(0, argument.port)}));
    return std::optional<double>(static_cast<double>(value));
  }

  absl::StatusOr<double> NumberOf(const ShaveArgument& argument) const {
    DOVETAIL_ASSIGN_OR_RETURN(const std::optional<double> size,
                              SizeNamed(argument));
    if (size.has_value()) return *size;
    double value = 0;
    const auto it = attributes_.find(argument.source);
    if (it == attributes_.end()) {
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
      return Problem(argument, "kernel ", kernel_.entry,
                     " has no parameter of this name");
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
      const auto value = Evaluate(expressions[i], kernel_.dim);
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
    for (size_t i = 0; i < 3; ++i) {
      const size_t groups = resolved_.global[i] / resolved_.local[i];
      if (groups == 0) {
        return InvalidArgument(kernel_.where, ": <WorkSizes>: ",
                               resolved_.global[i], " work items do not fill a "
                               "group of ", resolved_.local[i]);
      }
      resolved_.global[i] = groups * resolved_.local[i];
    }
    return std::move(resolved_);
  }

  const ShaveKernel& kernel_;
  const Node& node_;
  const std::map<std::string, std::string> attributes_;
  bool loops_ = true;
  ResolvedKernel resolved_;
};

}  // namespace

absl::StatusOr<ResolvedKernel> Resolve(
    const ShaveKernel& kernel, const std::vector<std::string>& parameters,
    const Node& node) {
  return Resolver(kernel, node).Run(parameters);
}

}  // namespace dovetail::vpu
