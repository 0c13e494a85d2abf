#include "dovetail/core/runtime/compilation.h"

#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/model_cache.h"

namespace dovetail {
namespace {

// Devices rely on what inference finds out, and on attributes that it has
// checked; whoever builds models node by node may have changed one since.
absl::StatusOr<std::unique_ptr<Model>> InferredCopy(const Model& model) {
  std::unique_ptr<Model> copy = model.Clone();
  DOVETAIL_RETURN_IF_ERROR(copy->Infer());
  return copy;
}

CompilationIdentity IdentityOf(const CompiledOrigin& origin,
                               const PluginCall& call) {
  return {origin.device, origin.plugin->CacheIdentity(call), origin.header,
          origin.extensions->Builds()};
}

// Where compiled models are kept is a matter of the program, not of the model.
PropertyMap ChosenProperties(const Config& config) {
  static const auto& of_programs = *new std::set<absl::string_view>{
      properties::kCacheDir, properties::kCacheSizeLimit,
      properties::kLogLevel};
  PropertyMap chosen;
  for (const auto& [name, entry] : config.entries()) {
    const bool keep = entry.origin != PropertyOrigin::kDefault &&
                      of_programs.count(name) == 0;
    if (keep) chosen[name] = entry.value;
  }
  return chosen;
}

// The model that the cache does not have. What has changed since it was
// compiled may be why it cannot be read: an extension that is there no more.
absl::StatusOr<std::unique_ptr<Model>> ReadAnew(Compilation::ReadFn read,
                                                const absl::Status& miss) {
  absl::StatusOr<std::unique_ptr<Model>> model =
      CatchExceptions([] { return "compiling the model"; }, read);
  if (model.ok() || !absl::IsFailedPrecondition(miss)) return model;
  return absl::Status(
      model.status().code(),
      absl::StrCat(model.status().message(), "; ", miss.message()));
}

}  // namespace

PropertyMap RuntimeOptions(const Model& model, const PropertySchema& schema) {
  PropertyMap options;
  const auto it = model.rt_info().children.find("runtime_options");
  if (it == model.rt_info().children.end()) return options;
  for (const auto& [name, entry] : it->second.children) {
    if (!schema.Has(name)) continue;
    const std::string* value = entry.Find({"value"});
    options[name] = value != nullptr ? *value : entry.value;
  }
  return options;
}

absl::Status ExportCompiled(const Executable& executable,
                            const CompiledOrigin& origin, BlobWriter& blob) {
  BlobHeader header = origin.header;
  header.properties = ChosenProperties(executable.config());
  DOVETAIL_RETURN_IF_ERROR(WriteBlobHeader(header, blob));
  return CatchExceptions([] { return "exporting the model"; },
                         [&] {
                           BlobWriter sections = blob.Nested(kDeviceSections);
                           return executable.Export(sections);
                         });
}

absl::Status Compilation::Export(const Executable& executable,
                                 BlobWriter& blob) {
  DOVETAIL_RETURN_IF_ERROR(Settle({}));
  const Model* const model = executable.runtime_model();
  if (model != nullptr) {
    origin_.header.model_name = model->name();
    origin_.header.extensions = ExtensionsIn(*model);
  }
  return ExportCompiled(executable, origin_, blob);
}

absl::StatusOr<std::string> Compilation::Identity() {
  DOVETAIL_RETURN_IF_ERROR(Settle({}));
  return TextOfIdentity(config_, IdentityOf(origin_, Call()));
}

// A device that hands CACHE_DIR to its parts, and cannot export itself, is
// spared keys, misses and warnings.
bool Compilation::caches() {
  if (config_.GetString(properties::kCacheDir).empty()) return false;
  const std::string capabilities =
      origin_.plugin->GetMetric(properties::kOptimizationCapabilities, Call())
          .value_or("");
  if (absl::StrContains(capabilities, "EXPORT_IMPORT")) return true;
  origin_.cache_miss_reason =
      absl::StrCat("device ", origin_.device, " exports no compiled models");
  return false;
}

// ---- Compiling ----

absl::Status Compilation::SettleFor(const Model& model) {
  const PropertyMap of_model = RuntimeOptions(model, origin_.schema);
  return of_model.empty() ? absl::OkStatus() : Settle(of_model);
}

absl::Status Compilation::Settle(const PropertyMap& of_model) {
  DOVETAIL_ASSIGN_OR_RETURN(Settings settings, resolve_(of_model));
  origin_.schema = std::move(settings.schema);
  config_ = std::move(settings.config);
  origin_.header.architecture =
      origin_.plugin->GetMetric(properties::kDeviceArchitecture, Call())
          .value_or("");
  return absl::OkStatus();
}

absl::StatusOr<CompiledModel> Compilation::Compile(const Model& model) {
  const ScopedTrace trace("core", "compile");
  const AllocatorScope memory(origin_.allocator);
  DOVETAIL_RETURN_IF_ERROR(Settle({}));
  DOVETAIL_RETURN_IF_ERROR(SettleFor(model));
  const auto copy = [&] { return InferredCopy(model); };
  if (caches()) return FromCacheOr(KeyOf(model), copy);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Model> inferred,
      CatchExceptions([] { return "compiling the model"; }, copy));
  return CompileInferred(std::move(inferred));
}

absl::StatusOr<CompiledModel> Compilation::CompileFiles(FilesFn files,
                                                        ReadFn read) {
  const ScopedTrace trace("core", "compile");
  const AllocatorScope memory(origin_.allocator);
  // What the files say of properties is not known yet; the key has the files.
  DOVETAIL_RETURN_IF_ERROR(Settle({}));
  if (caches()) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<std::string> names, files());
    const absl::StatusOr<CacheKey> key =
        KeyOfFiles(names, config_, IdentityOf(origin_, Call()));
    if (key.ok()) return FromCacheOr(*key, read);
    DOVETAIL_LOG(kInfo, "the cache goes by the model's content: ",
                 key.status().message());
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, read());
  DOVETAIL_RETURN_IF_ERROR(SettleFor(*model));
  if (!caches()) return CompileInferred(std::move(model));
  const CacheKey key = KeyOf(*model);
  return FromCacheOr(key, [&] { return std::move(model); });
}

absl::StatusOr<CompiledModel> Compilation::CompileInferred(
    std::unique_ptr<Model> model) {
  const std::string name = model->name();
  DOVETAIL_RETURN_IF_ERROR(origin_.extensions->UseKernels(*model));
  origin_.header.extensions = ExtensionsIn(*model);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Executable> executable,
      CatchExceptions(
          [] { return "compiling the model"; },
          [&] { return origin_.plugin->Compile(std::move(model), Call()); }));
  return Wrap(std::move(executable), name);
}

absl::StatusOr<CompiledModel> Compilation::Wrap(
    std::unique_ptr<Executable> executable,
    const std::string& model_name) const {
  if (executable == nullptr) {
    return Internal("device ", origin_.device, " gave no compiled model");
  }
  auto origin = std::make_shared<CompiledOrigin>(origin_);
  origin->header.model_name = model_name;
  return CompiledModel(std::move(executable), std::move(origin));
}

// ---- The cache ----

CacheKey Compilation::KeyOf(const Model& model) const {
  return KeyOfModel(model, config_, IdentityOf(origin_, Call()));
}

absl::StatusOr<CompiledModel> Compilation::FromCacheOr(const CacheKey& key,
                                                       ReadFn read) {
  const CacheFolder cache(
      config_.GetString(properties::kCacheDir),
      static_cast<uint64_t>(config_.GetInt(properties::kCacheSizeLimit)));
  auto cached = FromCache(cache, key);
  if (cached.ok()) return cached;
  origin_.cache_miss_reason = std::string(cached.status().message());
  DOVETAIL_LOG(kInfo, "device ", origin_.device,
               " compiles anew: ", origin_.cache_miss_reason);
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model,
                            ReadAnew(read, cached.status()));
  DOVETAIL_RETURN_IF_ERROR(SettleFor(*model));
  DOVETAIL_ASSIGN_OR_RETURN(CompiledModel compiled,
                            CompileInferred(std::move(model)));
  Store(compiled, cache, key);
  return compiled;
}

// An entry that the device cannot make anything of, such as one with a damaged
// section, has no place in the cache.
absl::StatusOr<CompiledModel> Compilation::FromCache(const CacheFolder& cache,
                                                     const CacheKey& key) {
  DOVETAIL_ASSIGN_OR_RETURN(const BlobReader blob, cache.Find(key));
  origin_.loaded_from_cache = true;
  absl::StatusOr<CompiledModel> imported = Import(blob);
  origin_.loaded_from_cache = false;
  if (imported.ok()) return imported;
  cache.Remove(key);
  return Annotate(imported.status(),
                  absl::StrCat("cache entry '", cache.PathOf(key), "'"));
}

// A device that cannot export and a disk that is full are no reason to fail.
void Compilation::Store(const CompiledModel& compiled, const CacheFolder& cache,
                        const CacheKey& key) const {
  const absl::Status stored = cache.Store(key, [&](BlobWriter& blob) {
    return ExportCompiled(*compiled.executable_, *compiled.origin_, blob);
  });
  if (stored.ok()) return;
  DOVETAIL_LOG(kWarning, "device ", origin_.device,
               ": the compiled model is not cached: ", stored.message());
}

// ---- Importing ----

absl::StatusOr<CompiledModel> Compilation::Import(const BlobReader& blob) {
  const AllocatorScope memory(origin_.allocator);
  DOVETAIL_ASSIGN_OR_RETURN(const BlobHeader header, ReadBlobHeader(blob));
  // Before its properties can mean anything: who else wrote it may have had
  // other keys. The architecture may depend on them, as on the list of parts.
  BlobHeader expected = origin_.header;
  expected.architecture = header.architecture;
  DOVETAIL_RETURN_IF_ERROR(CheckBlobFits(header, expected));
  DOVETAIL_RETURN_IF_ERROR(origin_.extensions->Check(header.extensions));
  origin_.header.extensions = header.extensions;
  DOVETAIL_RETURN_IF_ERROR(Settle(header.properties));
  DOVETAIL_RETURN_IF_ERROR(CheckBlobFits(header, origin_.header));
  const BlobReader sections = blob.Nested(kDeviceSections);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Executable> executable,
      CatchExceptions([] { return "importing the model"; },
                      [&] { return origin_.plugin->Import(Call(&sections)); }));
  return Wrap(std::move(executable), header.model_name);
}

}  // namespace dovetail
