#include "dovetail/extensions/ir/writer.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "dovetail/core/base/files/atomic_file.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "dovetail/extensions/ir/writer/attributes_writer.h"
#include "dovetail/extensions/ir/writer/constants_writer.h"
#include "dovetail/extensions/ir/writer/graph_writer.h"
#include "dovetail/extensions/ir/writer/rt_info_writer.h"

namespace dovetail {
namespace {

class StringWriter : public pugi::xml_writer {
 public:
  explicit StringWriter(std::string* text) : text_(*text) {}
  void write(const void* data, size_t size) override {
    text_.append(static_cast<const char*>(data), size);
  }

 private:
  std::string& text_;
};

absl::StatusOr<std::string> WriteXml(const Model& model,
                                     const WriteOptions& options,
                                     ir::ConstantsWriter::Sink sink) {
  if (options.version != 10 && options.version != 11) {
    return InvalidArgument("IR version ", options.version,
                           " cannot be written; 10 and 11 can");
  }
  pugi::xml_document document;
  pugi::xml_node net = document.append_child("net");
  ir::SetText(net, "name", model.name());
  net.append_attribute("version") = options.version;
  ir::ConstantsWriter constants(std::move(sink));
  DOVETAIL_RETURN_IF_ERROR(
      ir::GraphWriter(options.version, &constants).Write(model, net).status());
  ir::WriteModelRtInfo(model.rt_info(), net);
  std::string xml;
  StringWriter writer(&xml);
  document.save(writer, "\t", pugi::format_default, pugi::encoding_utf8);
  // No reader would take a name that is not text.
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(ir::CheckText(xml), "the names of the model"));
  return xml;
}

}  // namespace

absl::Status WriteIr(const Model& model, const std::string& xml_path,
                     const std::string& bin_path, const WriteOptions& options) {
  const std::string weights_path =
      !bin_path.empty()
          ? bin_path
          : std::filesystem::path(xml_path).replace_extension(".bin").string();
  if (weights_path == xml_path) {
    return InvalidArgument("XML and weights cannot both be ", xml_path);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> bin,
                            AtomicFile::Create(weights_path));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string text,
      WriteXml(model, options,
               [&](absl::string_view bytes) { return bin->Append(bytes); }));
  DOVETAIL_RETURN_IF_ERROR(bin->Flush());
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> xml,
                            AtomicFile::Create(xml_path));
  DOVETAIL_RETURN_IF_ERROR(xml->Append(text));
  DOVETAIL_RETURN_IF_ERROR(xml->Flush());
  DOVETAIL_RETURN_IF_ERROR(bin->Commit());
  return xml->Commit();
}

absl::StatusOr<IrFiles> WriteIrToMemory(const Model& model,
                                        const WriteOptions& options) {
  IrFiles files;
  DOVETAIL_ASSIGN_OR_RETURN(
      files.xml, WriteXml(model, options, [&](absl::string_view bytes) {
        files.weights.append(bytes.data(), bytes.size());
        return absl::OkStatus();
      }));
  return files;
}

}  // namespace dovetail
