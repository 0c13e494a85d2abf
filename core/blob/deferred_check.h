// Bytes of a container that are compared with their checksum only when somebody
// reads them. An importer maps constants that have been packed long ago, and
// hardly ever reads one: so it need not wait for bytes that nobody wants.
//
// Who makes such bytes says so here; who is going to read what may be such
// bytes asks here before. Thread-safe.
#ifndef DOVETAIL_CORE_BLOB_DEFERRED_CHECK_H_
#define DOVETAIL_CORE_BLOB_DEFERRED_CHECK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "dovetail/core/blob/blob_reader.h"

namespace dovetail {

// Notes that [offset, offset + size) of the section has not been compared yet.
// The bytes stay noted, and where they are, as long as the owner that is
// returned. `section` are the bytes of UncheckedSection.
std::shared_ptr<const void> DeferCheck(const BlobReader& reader,
                                       const std::string& name,
                                       const BlobBytes& section,
                                       uint64_t offset, uint64_t size);

// Compares what is noted of the bytes that `data` lies in; once, later calls
// answer the same. OK for all other memory. kDataLoss when they are damaged:
// they must not be used then. Costs next to nothing where nothing is noted.
absl::Status CheckDeferred(const void* data);

// What CheckDeferred has found of these bytes, OK where nobody has called it:
// for those who could not tell of the error then. It compares nothing.
absl::Status KnownDamage(const void* data);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BLOB_DEFERRED_CHECK_H_
