// Comparing many sections with their checksums beside other work.
#ifndef DOVETAIL_BACKENDS_COMMON_SECTIONS_CHECK_H_
#define DOVETAIL_BACKENDS_COMMON_SECTIONS_CHECK_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/executor/executor.h"

namespace dovetail {

// The check of `names`, sections of one container, in chunks that any thread
// may take. Those who read the bytes meanwhile (BlobReader::UncheckedSection)
// may use what comes of it once Finish has said that they are sound.
class SectionsCheck {
 public:
  SectionsCheck(BlobReader reader, std::vector<std::string> names);
  // Begins nothing more; what another thread has begun ends by itself.
  ~SectionsCheck();
  SectionsCheck(const SectionsCheck&) = delete;
  SectionsCheck& operator=(const SectionsCheck&) = delete;

  // Lets a thread of `executor`, which need not come, take chunks till Finish.
  void Start(Executor& executor);

  // Takes what is left, waits for the chunks that others have taken, and
  // returns the sections that are damaged or are not there, in the order of
  // `names`. To be called once.
  std::vector<std::string> Finish();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_SECTIONS_CHECK_H_
