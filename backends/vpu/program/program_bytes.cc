#include "dovetail/backends/vpu/program/program_bytes.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/backends/vpu/program/fields.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

constexpr absl::string_view kMark = "DVTLVPU\n";
constexpr absl::string_view kMachine = "machine";
constexpr absl::string_view kLayers = "layers";
constexpr absl::string_view kStages = "stages";
constexpr absl::string_view kMemory = "memory";

// The fewest bytes that an entry of a list takes: a number a field.
constexpr size_t kLeastBytes = 8 * 6;

class Writer {
 public:
  void operator()(absl::string_view, const std::string& text) {
    bytes.Text(text);
  }
  void operator()(absl::string_view, int64_t number) { bytes.Signed(number); }
  void operator()(absl::string_view, LayerKind kind) {
    bytes.Signed(static_cast<int>(kind));
  }
  void operator()(absl::string_view, Lane lane) {
    bytes.Signed(static_cast<int>(lane));
  }
  void operator()(absl::string_view, Place place) {
    bytes.Signed(static_cast<int>(place));
  }
  void operator()(absl::string_view, const std::vector<int>& list) {
    bytes.Number(list.size());
    for (const int one : list) bytes.Signed(one);
  }

  ByteWriter bytes;
};

// Keeps the first error; behind it, it does nothing.
class Reader {
 public:
  explicit Reader(absl::string_view text) : bytes(text) {}

  void operator()(absl::string_view, std::string& text) {
    if (!status.ok()) return;
    const auto read = bytes.Text();
    status = read.status();
    if (read.ok()) text = std::string(*read);
  }
  void operator()(absl::string_view name, int64_t& number) {
    number = Between(name, std::numeric_limits<int64_t>::min(),
                     std::numeric_limits<int64_t>::max());
  }
  void operator()(absl::string_view name, int& number) {
    number =
        static_cast<int>(Between(name, std::numeric_limits<int>::min(),
                                 std::numeric_limits<int>::max()));
  }
  void operator()(absl::string_view name, LayerKind& kind) {
    ReadEnum(name, kind);
  }
  void operator()(absl::string_view name, Lane& lane) { ReadEnum(name, lane); }
  void operator()(absl::string_view name, Place& place) {
    ReadEnum(name, place);
  }
  void operator()(absl::string_view name, std::vector<int>& list) {
    const size_t count = Count(8);
    for (size_t i = 0; status.ok() && i < count; ++i) {
      (*this)(name, list.emplace_back());
    }
  }

  // Of things that follow.
  size_t Count(size_t least_bytes) {
    if (!status.ok()) return 0;
    const auto count = bytes.Count(least_bytes);
    status = count.status();
    return count.ok() ? *count : 0;
  }

  ByteReader bytes;
  absl::Status status;

 private:
  template <typename Enum>
  void ReadEnum(absl::string_view name, Enum& value) {
    value = static_cast<Enum>(
        Between(name, 0, static_cast<int64_t>(NamesOf(value).size()) - 1));
  }
  int64_t Between(absl::string_view name, int64_t low, int64_t high) {
    if (!status.ok()) return 0;
    const auto read = bytes.Signed();
    status = read.status();
    if (!read.ok()) return 0;
    if (low <= *read && *read <= high) return *read;
    status =
        DataLoss(name, " is ", *read, " where ", low, " to ", high, " may be");
    return 0;
  }
};

std::string LayerBytes(const Network& network) {
  Writer writer;
  writer.bytes.Number(network.size());
  for (const Layer& layer : network) VisitLayer(layer, writer);
  return writer.bytes.Take();
}

std::string StageBytes(const Stages& stages) {
  Writer writer;
  writer.bytes.Number(stages.size());
  for (const Stage& stage : stages) VisitStage(stage, writer);
  return writer.bytes.Take();
}

std::string MemoryBytes(const std::vector<Allocation>& memory) {
  Writer writer;
  writer.bytes.Number(memory.size());
  for (const Allocation& one : memory) VisitAllocation(one, writer);
  return writer.bytes.Take();
}

template <typename T, typename Visit>
absl::StatusOr<std::vector<T>> ReadList(absl::string_view bytes, Visit visit) {
  Reader reader(bytes);
  std::vector<T> list;
  const size_t count = reader.Count(kLeastBytes);
  for (size_t i = 0; reader.status.ok() && i < count; ++i) {
    visit(list.emplace_back(), reader);
  }
  DOVETAIL_RETURN_IF_ERROR(reader.status);
  DOVETAIL_RETURN_IF_ERROR(reader.bytes.Finish());
  return list;
}

absl::StatusOr<Machine> ReadMachineSection(absl::string_view text) {
  DOVETAIL_ASSIGN_OR_RETURN(const Machine machine,
                            ParseMachine(text, "its text"));
  if (MachineText(machine) == text) return machine;
  return DataLoss("its text is not as it was written");
}

// Takes the next section, which has to be of that name.
absl::StatusOr<absl::string_view> Section(absl::string_view name,
                                          ByteReader& bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view found, bytes.Text());
  if (found == name) return bytes.Text();
  return DataLoss("another section is in its place");
}

template <typename T, typename Read>
absl::StatusOr<T> ReadSection(absl::string_view name, ByteReader& bytes,
                              Read read) {
  const auto value = [&]() -> absl::StatusOr<T> {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view section,
                              Section(name, bytes));
    return read(section);
  }();
  if (value.ok()) return value;
  return DataLoss("the program's section '", name,
                  "': ", value.status().message());
}

absl::StatusOr<Program> ReadSections(ByteReader& bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const Machine machine,
      ReadSection<Machine>(kMachine, bytes, ReadMachineSection));
  DOVETAIL_ASSIGN_OR_RETURN(
      Network network,
      ReadSection<Network>(kLayers, bytes, [](absl::string_view section) {
        return ReadList<Layer>(section, [](Layer& layer, Reader& reader) {
          VisitLayer(layer, reader);
        });
      }));
  Compiled compiled;
  DOVETAIL_ASSIGN_OR_RETURN(
      compiled.stages,
      ReadSection<Stages>(kStages, bytes, [](absl::string_view section) {
        return ReadList<Stage>(section, [](Stage& stage, Reader& reader) {
          VisitStage(stage, reader);
        });
      }));
  using Memory = std::vector<Allocation>;
  DOVETAIL_ASSIGN_OR_RETURN(
      compiled.memory,
      ReadSection<Memory>(kMemory, bytes, [](absl::string_view section) {
        return ReadList<Allocation>(section, [](auto& one, Reader& reader) {
          VisitAllocation(one, reader);
        });
      }));
  DOVETAIL_RETURN_IF_ERROR(bytes.Finish());
  return Program::Of(machine, std::move(network), std::move(compiled));
}

}  // namespace

std::string ProgramBytes(const Program& program) {
  ByteWriter bytes;
  bytes.Raw(kMark);
  bytes.Number(kProgramVersion);
  bytes.Text(kMachine);
  bytes.Text(MachineText(program.machine()));
  bytes.Text(kLayers);
  bytes.Text(LayerBytes(program.network()));
  bytes.Text(kStages);
  bytes.Text(StageBytes(program.stages()));
  bytes.Text(kMemory);
  bytes.Text(MemoryBytes(program.memory()));
  return bytes.Take();
}

bool IsProgram(absl::string_view bytes) {
  return absl::StartsWith(bytes, kMark);
}

absl::StatusOr<Program> ReadProgramBytes(absl::string_view bytes) {
  if (!IsProgram(bytes)) {
    return InvalidArgument("these bytes are no program of a vision processor");
  }
  ByteReader reader(bytes.substr(kMark.size()));
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t version, reader.Number());
  if (version != kProgramVersion) {
    return FailedPrecondition("the program is of version ", version,
                              " of the format, and this is version ",
                              kProgramVersion, "; compile the model again");
  }
  auto program = ReadSections(reader);
  if (program.ok()) return program;
  return DataLoss(program.status().message());
}

}  // namespace dovetail::vpu
