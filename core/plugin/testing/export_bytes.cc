#include "dovetail/core/plugin/testing/export_bytes.h"

#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_writer.h"

namespace dovetail {

absl::StatusOr<ExportSections> ExportedSections(const Executable& executable) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  DOVETAIL_RETURN_IF_ERROR(executable.Export(writer));
  DOVETAIL_RETURN_IF_ERROR(writer.Finish());
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader reader,
                            BlobReader::FromBytes(bytes));
  ExportSections sections;
  for (const std::string& name : reader.section_names()) {
    DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes section, reader.Section(name));
    sections[name] = std::string(section.view());
  }
  return sections;
}

BlobReader ContainerOf(const ExportSections& sections) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  for (const auto& [name, section] : sections) {
    writer.AddSection(name, section).IgnoreError();
  }
  writer.Finish().IgnoreError();
  return BlobReader::FromBytes(bytes).value();
}

}  // namespace dovetail
