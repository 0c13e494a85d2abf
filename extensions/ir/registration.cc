// Lets every program that links //extensions/ir read OpenVINO IR by
// Core::ReadModel.
#include "dovetail/core/runtime/model_reader.h"
#include "dovetail/extensions/ir/reader.h"

namespace dovetail {
namespace {

class IrModelReader : public ModelReader {
 public:
  absl::string_view name() const override { return "OpenVINO IR (.xml)"; }

  // By what the file holds, whatever it is called.
  bool CanRead(const std::string& /*path*/,
               absl::string_view first_bytes) const override {
    return LooksLikeIr(first_bytes);
  }

  absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string& path, const ReadSettings& settings) const override {
    ReadOptions options;
    options.weights_path = settings.weights_path;
    options.map_weights = settings.map_weights;
    options.find_op = settings.find_op;
    return ReadIr(path, options);
  }

  absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view text, const Tensor& weights,
      const ReadSettings& settings) const override {
    ReadOptions options;
    options.find_op = settings.find_op;
    return ReadIrFromMemory(text, weights, options);
  }

  std::vector<std::string> FilesOf(const std::string& path) const override {
    return {path, DefaultWeightsPath(path)};
  }
};

DOVETAIL_REGISTER_MODEL_READER(IrModelReader);

}  // namespace
}  // namespace dovetail
