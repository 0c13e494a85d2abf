#include "dovetail/tools/cli/input/input_values.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/extensions/image/image.h"
#include "dovetail/extensions/npy/npy.h"
#include "dovetail/tools/cli/input/picture_input.h"

namespace dovetail::cli {
namespace {

// The shape of a port with nothing left open.
Shape LeastShape(const PartialShape& partial) {
  Shape shape;
  if (!partial.rank_known()) return shape;
  for (const Dimension& dim : partial) {
    shape.push_back(dim.is_static() ? dim.value()
                                    : std::max<int64_t>(dim.min(), 1));
  }
  return shape;
}

absl::StatusOr<Tensor> ReadNpyInput(const PortInfo& port,
                                    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor, ReadNpy(path));
  if (!port.shape.Contains(tensor.shape())) {
    return InvalidArgument(path, " holds ", tensor.ToString(0), ", input '",
                           port.name, "' wants ", ElementTypeName(port.type),
                           port.shape.ToString());
  }
  if (tensor.type() == port.type || port.type == ElementType::kDynamic) {
    return tensor;
  }
  // Types that NumPy lacks are stored wider, pictures narrower.
  return ConvertTensor(tensor, port.type);
}

absl::StatusOr<Tensor> ReadRawInput(const PortInfo& port,
                                    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  if (port.type == ElementType::kString) {
    return InvalidArgument(
        path, ": input '", port.name,
        "' holds strings, which have no raw form; want .npy");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::Allocate(port.type, LeastShape(port.shape)));
  if (static_cast<int64_t>(file->size()) != tensor.byte_size()) {
    return InvalidArgument(path, " has ", file->size(), " bytes, input '",
                           port.name, "' ", ElementTypeName(port.type),
                           port.shape.ToString(), " takes ",
                           tensor.byte_size(),
                           port.shape.is_static()
                               ? ""
                               : ": a raw file does not say its shape; --shape "
                                 "does, and --picture-size of pictures");
  }
  std::memcpy(tensor.mutable_raw_data(), file->data(), file->size());
  return tensor;
}

absl::Status CheckTakesRgb(const std::string& path,
                           const PictureOptions& options) {
  if (options.color == ColorFormat::kUndefined ||
      options.color == ColorFormat::kRgb) {
    return absl::OkStatus();
  }
  return InvalidArgument("'", path, "': with --color=",
                         ColorFormatName(options.color),
                         " pictures are .npy or raw files");
}

absl::StatusOr<int> FindPort(absl::Span<const PortInfo> ports,
                             const std::string& name) {
  // A number is an index, also where a tensor or layer has it as its name.
  int index;
  if (absl::SimpleAtoi(name, &index) && index >= 0 &&
      index < static_cast<int>(ports.size())) {
    return index;
  }
  for (size_t i = 0; i < ports.size(); ++i) {
    const PortInfo& port = ports[i];
    if (port.name == name || std::find(port.names.begin(), port.names.end(),
                                       name) != port.names.end()) {
      return static_cast<int>(i);
    }
  }
  return NotFound(
      "no input '", name, "'; there are: ",
      absl::StrJoin(ports, ", ", [](std::string* out, const PortInfo& port) {
        out->append(port.name);
      }));
}

}  // namespace

std::vector<Flag> InputFlags() {
  return {
      {"input", "INPUT=FILE",
       "a .npy, .png, .jpg or raw file for the input of that name or index",
       true},
  };
}

absl::StatusOr<Tensor> ReadInput(const PortInfo& port, const std::string& path,
                                 const PictureOptions& options) {
  if (absl::EndsWithIgnoreCase(path, ".npy")) return ReadNpyInput(port, path);
  if (absl::EndsWithIgnoreCase(path, ".png") ||
      absl::EndsWithIgnoreCase(path, ".jpg") ||
      absl::EndsWithIgnoreCase(path, ".jpeg")) {
    DOVETAIL_RETURN_IF_ERROR(CheckTakesRgb(path, options));
    DOVETAIL_ASSIGN_OR_RETURN(const PicturePort takes,
                              FindPicturePort(port.name, port.shape));
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor picture,
        ReadImage(path,
                  takes.channels == 1 ? ImageMode::kGrey : ImageMode::kRgb));
    return PictureToInput(port, picture, options);
  }
  return ReadRawInput(port, path);
}

absl::StatusOr<std::map<int, std::string>> ChooseInputFiles(
    absl::Span<const PortInfo> ports, const Arguments& arguments) {
  std::map<int, std::string> files;
  for (const std::string& text : arguments.GetAll("input")) {
    DOVETAIL_ASSIGN_OR_RETURN(const auto pair, SplitKeyValue("input", text));
    DOVETAIL_ASSIGN_OR_RETURN(const int index, FindPort(ports, pair.first));
    if (!files.emplace(index, pair.second).second) {
      return InvalidArgument("--input=", text, ": input '", ports[index].name,
                             "' is given twice");
    }
  }
  return files;
}

absl::StatusOr<Tensor> MakeInput(const PortInfo& port) {
  const ElementType type =
      port.type == ElementType::kDynamic ? ElementType::kF32 : port.type;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(type, LeastShape(port.shape)));
  // A linear congruential generator (Knuth's MMIX constants): the upper bits.
  uint64_t state = 1;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double value = static_cast<double>(state >> 40) / (1 << 24);
    if (type != ElementType::kString) tensor.SetElement(i, value);
  }
  return tensor;
}

}  // namespace dovetail::cli
