#include "dovetail/core/blob/blob_format.h"

#include <utility>

#include "absl/strings/match.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/checksum.h"

namespace dovetail::blob {
namespace {

// Of the end: all but its own checksum.
constexpr size_t kEndChecked = kFrameBytes - 8;
constexpr absl::string_view kDamaged = "the container is damaged: ";

void WriteSection(const SectionEntry& section, ByteWriter& writer) {
  writer.Byte(section.is_reference);
  writer.Number(section.size);
  if (section.is_reference) {
    const FileRange& range = section.reference;
    writer.Text(range.file.path);
    writer.Number(range.file.size);
    writer.Signed(range.file.modified_ns);
    writer.Number(range.offset);
    return;
  }
  writer.Number(section.offset);
  for (uint64_t checksum : section.checksums) writer.Number(checksum);
}

absl::Status ReadReference(ByteReader& reader, FileRange& range) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view path, reader.Text());
  range.file.path = std::string(path);
  DOVETAIL_ASSIGN_OR_RETURN(range.file.size, reader.Number());
  DOVETAIL_ASSIGN_OR_RETURN(range.file.modified_ns, reader.Signed());
  DOVETAIL_ASSIGN_OR_RETURN(range.offset, reader.Number());
  if (range.offset > range.file.size ||
      range.size > range.file.size - range.offset) {
    return DataLoss("refers to bytes behind the end of ", range.file.path);
  }
  return absl::OkStatus();
}

// `end` is where the sections end and the table begins.
absl::StatusOr<SectionEntry> ReadSection(uint64_t end, ByteReader& reader) {
  SectionEntry section;
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t kind, reader.Byte());
  section.is_reference = kind == 1;
  DOVETAIL_ASSIGN_OR_RETURN(section.size, reader.Number());
  if (section.is_reference) {
    section.reference.size = section.size;
    DOVETAIL_RETURN_IF_ERROR(ReadReference(reader, section.reference));
    return section;
  }
  DOVETAIL_ASSIGN_OR_RETURN(section.offset, reader.Number());
  if (kind != 0 || section.offset % kAlignment != 0 ||
      section.offset < kFrameBytes || section.offset > end ||
      section.size > end - section.offset) {
    return DataLoss("is not where a section can be");
  }
  // Not more than the container has bytes, so neither is what is allocated.
  for (uint64_t i = 0; i < ChunksOf(section.size); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const uint64_t checksum, reader.Number());
    section.checksums.push_back(checksum);
  }
  return section;
}

absl::StatusOr<Table> ParseTable(absl::string_view bytes, uint64_t end) {
  Table table;
  ByteReader reader(bytes);
  DOVETAIL_ASSIGN_OR_RETURN(const size_t headers, reader.Count());
  for (size_t i = 0; i < headers; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view key, reader.Text());
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view value, reader.Text());
    table.headers.emplace(key, value);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const size_t sections, reader.Count());
  for (size_t i = 0; i < sections; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name, reader.Text());
    absl::StatusOr<SectionEntry> section = ReadSection(end, reader);
    if (!section.ok()) {
      return Annotate(section.status(), absl::StrCat("section '", name, "'"));
    }
    table.sections.emplace(name, *std::move(section));
  }
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  return table;
}

// Whether the bytes begin as a container does.
absl::Status CheckBegin(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, kMagic)) {
    return InvalidArgument("this is no exported model: it does not begin with ",
                           kMagic);
  }
  if (bytes.size() < 2 * kFrameBytes) {
    return DataLoss(kDamaged, "it is cut short");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t version,
                            ByteReader(bytes.substr(kMagic.size())).Number());
  if (version != kFormatVersion) {
    return FailedPrecondition("the container is of version ", version,
                              " of the format, this program reads version ",
                              kFormatVersion);
  }
  if (!absl::StartsWith(bytes, WriteBegin())) {
    return DataLoss(kDamaged, "its beginning is another one");
  }
  return absl::OkStatus();
}

struct End {
  uint64_t table_offset, table_size, table_checksum, total_size;
};

absl::StatusOr<End> ReadEnd(absl::string_view frame) {
  const absl::string_view checked = frame.substr(0, kEndChecked);
  DOVETAIL_ASSIGN_OR_RETURN(const uint64_t checksum,
                            ByteReader(frame.substr(kEndChecked)).Number());
  if (checksum != Checksum(checked)) {
    return DataLoss(kDamaged,
                    "it does not end as it should, so it was cut "
                    "short or changed");
  }
  End end;
  ByteReader reader(checked);
  for (uint64_t* number : {&end.table_offset, &end.table_size,
                           &end.table_checksum, &end.total_size}) {
    DOVETAIL_ASSIGN_OR_RETURN(*number, reader.Number());
  }
  return end;
}

}  // namespace

std::string WriteBegin() {
  ByteWriter writer;
  writer.Raw(kMagic);
  writer.Number(kFormatVersion);
  std::string begin = writer.Take();
  begin.resize(kFrameBytes);
  return begin;
}

std::string WriteEnd(const Table& table, uint64_t offset) {
  ByteWriter writer;
  writer.Number(table.headers.size());
  for (const auto& [key, value] : table.headers) {
    writer.Text(key);
    writer.Text(value);
  }
  writer.Number(table.sections.size());
  for (const auto& [name, section] : table.sections) {
    writer.Text(name);
    WriteSection(section, writer);
  }
  std::string bytes = writer.Take();

  ByteWriter end;
  end.Number(offset);
  end.Number(bytes.size());
  end.Number(Checksum(bytes));
  end.Number(offset + bytes.size() + kFrameBytes);
  end.Raw(kEndMagic);
  std::string frame = end.Take();
  frame.resize(kEndChecked);
  ByteWriter checksum;
  checksum.Number(Checksum(frame));
  return bytes + frame + checksum.bytes();
}

absl::StatusOr<Table> ReadTable(absl::string_view bytes) {
  DOVETAIL_RETURN_IF_ERROR(CheckBegin(bytes));
  DOVETAIL_ASSIGN_OR_RETURN(const End end,
                            ReadEnd(bytes.substr(bytes.size() - kFrameBytes)));
  const uint64_t before_end = bytes.size() - kFrameBytes;
  if (end.total_size != bytes.size() || end.table_offset < kFrameBytes ||
      end.table_offset > before_end ||
      end.table_size != before_end - end.table_offset) {
    return DataLoss(kDamaged, "it has ", bytes.size(), " bytes instead of ",
                    end.total_size);
  }
  const absl::string_view table =
      bytes.substr(end.table_offset, end.table_size);
  if (Checksum(table) != end.table_checksum) {
    return DataLoss(kDamaged, "the checksum of its table is another one");
  }
  absl::StatusOr<Table> parsed = ParseTable(table, end.table_offset);
  if (parsed.ok()) return parsed;
  return DataLoss(kDamaged, parsed.status().message());
}

}  // namespace dovetail::blob
