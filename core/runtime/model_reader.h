// Registry of the file formats that a program can read. The runtime knows none:
// each stands in an extension, such as //extensions/ir, and linking that adds
// it here.
#ifndef DOVETAIL_CORE_RUNTIME_MODEL_READER_H_
#define DOVETAIL_CORE_RUNTIME_MODEL_READER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// What a caller can choose.
struct ReadSettings {
  std::string weights_path;  // "" unless the user names a file for the weights
  bool map_weights = true;  // else they are read into memory of the model's own
  // An operation of an extension by type and opset as the file spells them;
  // null without one. Asked before the built-in table; null: there are none.
  std::function<const OpInfo*(absl::string_view type, absl::string_view opset)>
      find_op;
};

// A file format. Thread-safe.
class ModelReader {
 public:
  virtual ~ModelReader() = default;

  // For messages: "OpenVINO IR (.xml)".
  virtual absl::string_view name() const = 0;
  // Whether the file is of this format, by its path or by the bytes that it
  // begins with, at most ModelReaders::kProbeBytes. Cheap; does not open it.
  virtual bool CanRead(const std::string& path,
                       absl::string_view first_bytes) const = 0;
  virtual absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string& path, const ReadSettings& settings) const = 0;
  // The same from memory; see Core::ReadModelFromMemory. Of the settings, what
  // files have no part in.
  virtual absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view text, const Tensor& weights,
      const ReadSettings& settings) const = 0;
  // Every file that a model is made of, whether it is there or not: when none
  // of them has changed the model is the same.
  virtual std::vector<std::string> FilesOf(const std::string& path) const = 0;
};

// Thread-safe.
class ModelReaders {
 public:
  static constexpr size_t kProbeBytes = 4096;

  // The ones that registrations at start-up have added.
  static ModelReaders& Global();

  void Add(std::unique_ptr<ModelReader> reader);
  // In the order in which they were added.
  std::vector<std::string> Names() const;

  // Reads by the first reader that says it can. kNotFound when there is no such
  // file, kInvalidArgument listing the formats when no reader knows it, and
  // then, when there is no reader at all, how to link one.
  absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string& path, const ReadSettings& settings) const;
  absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view text, const Tensor& weights,
      const ReadSettings& settings) const;
  // Of the files that exist. Errors as of Read, as far as the path and the
  // format go.
  absl::StatusOr<std::vector<std::string>> FilesOf(
      const std::string& path) const;

 private:
  absl::StatusOr<const ModelReader*> ReaderOf(const std::string& path) const;
  // What the message of a format that nobody knows says behind what it is.
  absl::Status UnknownFormat() const;
  const ModelReader* Find(const std::string& path,
                          absl::string_view first_bytes) const;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ModelReader>> readers_;
};

// Adds a reader of class `Reader` when the program starts. In a file and a
// target of its own.
#define DOVETAIL_REGISTER_MODEL_READER(Reader)                          \
  [[maybe_unused]] static const bool dovetail_reader_registered_ = [] { \
    ::dovetail::ModelReaders::Global().Add(std::make_unique<Reader>()); \
    return true;                                                        \
  }()

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_MODEL_READER_H_
