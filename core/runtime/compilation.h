// Making of a compiled model, once device and configuration are settled:
// from the cache, from an export, or by compiling. For core/runtime alone.
#ifndef DOVETAIL_CORE_RUNTIME_COMPILATION_H_
#define DOVETAIL_CORE_RUNTIME_COMPILATION_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/cache/cache_folder.h"
#include "dovetail/core/extension/extension_table.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {

// What a compiled model is of, which its executable does not know.
struct CompiledOrigin {
  const Plugin* plugin = nullptr;
  std::string device;  // as the user named it: "GPU.1"
  PropertySchema schema;
  BlobHeader header;  // of exports
  std::shared_ptr<Host> host;
  std::shared_ptr<const ExtensionTable> extensions;
  std::shared_ptr<RemoteContext> context;
  std::shared_ptr<Executor> executor;    // the application's own; or null
  std::shared_ptr<Allocator> allocator;  // the same
  bool loaded_from_cache = false;
  std::string cache_miss_reason;  // "" where no cache was asked
};

class Compilation {
 public:
  // The keys that there are, and the values in force, given those that come
  // with the model.
  struct Settings {
    PropertySchema schema;
    Config config;
  };
  using ResolveFn =
      std::function<absl::StatusOr<Settings>(const PropertyMap& of_model)>;

  // `origin` tells all but the model and the architecture.
  Compilation(CompiledOrigin origin, ResolveFn resolve)
      : origin_(std::move(origin)), resolve_(std::move(resolve)) {}

  // The model may be anything; it is copied.
  absl::StatusOr<CompiledModel> Compile(const Model& model);
  // The model that `read` gives, which is not asked when the cache has what was
  // compiled of the files that `files` names; that is asked only for a cache.
  using ReadFn = absl::FunctionRef<absl::StatusOr<std::unique_ptr<Model>>()>;
  using FilesFn = absl::FunctionRef<absl::StatusOr<std::vector<std::string>>()>;
  absl::StatusOr<CompiledModel> CompileFiles(FilesFn files, ReadFn read);
  absl::StatusOr<CompiledModel> Import(const BlobReader& blob);
  // Writes what Import reads, of a model that came about in this way.
  absl::Status Export(const Executable& executable, BlobWriter& blob);
  // All that decides about the compiled model beside the model.
  absl::StatusOr<std::string> Identity();

  // For tensors of the application's own on the device.
  void set_context(std::shared_ptr<RemoteContext> context) {
    origin_.context = std::move(context);
  }

 private:
  // Settles the configuration, and what depends on it.
  absl::Status Settle(const PropertyMap& of_model);
  // With what the model says of properties, after it was settled without.
  absl::Status SettleFor(const Model& model);
  // A model whose shapes are known.
  absl::StatusOr<CompiledModel> CompileInferred(std::unique_ptr<Model> model);
  absl::StatusOr<CompiledModel> FromCacheOr(const CacheKey& key, ReadFn read);
  CacheKey KeyOf(const Model& model) const;
  absl::StatusOr<CompiledModel> FromCache(const CacheFolder& cache,
                                          const CacheKey& key);
  void Store(const CompiledModel& compiled, const CacheFolder& cache,
             const CacheKey& key) const;
  absl::StatusOr<CompiledModel> Wrap(std::unique_ptr<Executable> executable,
                                     const std::string& model_name) const;
  bool caches();
  PluginCall Call(const BlobReader* blob = nullptr) const {
    return {config_, *origin_.host, origin_.context, blob, origin_.executor};
  }

  CompiledOrigin origin_;
  const ResolveFn resolve_;
  Config config_;
};

// Properties that a model brings along, but for those of other devices.
PropertyMap RuntimeOptions(const Model& model, const PropertySchema& schema);

// Writes what Import reads: header, and the device's sections.
absl::Status ExportCompiled(const Executable& executable,
                            const CompiledOrigin& origin, BlobWriter& blob);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_COMPILATION_H_
