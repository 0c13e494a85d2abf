#include "dovetail/extensions/ir/writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

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

// A file under a temporary name, which Commit moves to its own and the
// destructor removes.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path)
      : path_(std::move(path)),
        temporary_(absl::StrCat(path_, ".", getpid(), ".tmp")),
        file_(std::fopen(temporary_.c_str(), "wb")) {}
  ~TemporaryFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (!committed_) std::remove(temporary_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  absl::Status Write(absl::string_view bytes) {
    if (file_ == nullptr) return Error();
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
      return Error();
    }
    return absl::OkStatus();
  }

  // What was written is on its way to the disk; tells whether there was room.
  absl::Status Close() {
    if (file_ == nullptr) return Error();
    return std::fclose(std::exchange(file_, nullptr)) == 0 ? absl::OkStatus()
                                                           : Error();
  }

  absl::Status Commit() {
    committed_ = std::rename(temporary_.c_str(), path_.c_str()) == 0;
    return committed_ ? absl::OkStatus() : Error();
  }

 private:
  absl::Status Error() const {
    return Unavailable("cannot write ", path_, ": ", std::strerror(errno));
  }

  std::string path_, temporary_;
  std::FILE* file_;
  bool committed_ = false;
};

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
  TemporaryFile bin(weights_path);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::string text,
      WriteXml(model, options,
               [&](absl::string_view bytes) { return bin.Write(bytes); }));
  DOVETAIL_RETURN_IF_ERROR(bin.Close());
  TemporaryFile xml(xml_path);
  DOVETAIL_RETURN_IF_ERROR(xml.Write(text));
  DOVETAIL_RETURN_IF_ERROR(xml.Close());
  DOVETAIL_RETURN_IF_ERROR(bin.Commit());
  return xml.Commit();
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
