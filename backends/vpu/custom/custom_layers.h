// The custom layers that a configuration names.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_LAYERS_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_LAYERS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// Names of one key: a path, whose file is read, and refused, when it is set.
inline constexpr absl::string_view kCustomLayersKeys[] = {
    "CUSTOM_LAYERS", "VPU_CUSTOM_LAYERS", "MYRIAD_CUSTOM_LAYERS",
    "CONFIG_FILE"};

std::vector<PropertySpec> CustomLayerProperties();

// Immutable.
class CustomLayers {
 public:
  // Of the files of the properties, those of the first name first. Errors as of
  // ReadShaveLayers.
  static absl::StatusOr<std::shared_ptr<const CustomLayers>> Of(
      const Config& config);

  // Those that Export has written; none where it has written none.
  static absl::StatusOr<std::shared_ptr<const CustomLayers>> Import(
      const BlobReader& blob);
  absl::Status Export(BlobWriter& blob) const;

  // The first whose name is the node's type, in any version, whose restrictions
  // its attributes meet, and whose tensors it has; null: there is none.
  const ShaveLayer* Find(const Node& node) const;
  // The one whose place that is ("kernels.xml:3"); null: there is none.
  const ShaveLayer* At(absl::string_view where) const;
  bool empty() const { return layers_.empty(); }

  // All that they say: other layers are another text. Empty without any.
  std::string Identity() const;

  // For each the layers of the model that it computes, or that there are none,
  // as a sentence with file and line.
  struct Match {
    std::string text;
    bool has_layers = false;
  };
  std::vector<Match> MatchesIn(const Model& model) const;

 private:
  // A file, as it was: its name in messages, its text, and its sources.
  struct File {
    std::string name, xml;
    std::map<std::string, std::string> sources;
  };

  absl::Status Add(File file);

  std::vector<File> files_;
  std::vector<ShaveLayer> layers_;
};

// What tells stand-ins where a node's layer is; `layers` has to outlive it.
inline auto PlacesOf(const CustomLayers& layers) {
  return [&layers](const Node& node) -> const std::string* {
    const ShaveLayer* const layer = layers.Find(node);
    return layer == nullptr ? nullptr : &layer->where;
  };
}

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_LAYERS_H_
