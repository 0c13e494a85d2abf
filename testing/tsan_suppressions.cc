// What ThreadSanitizer (--config=tsan) takes for races in tests, and is none.
//
// Abseil is the system's, so that TSan does not see inside it: of the two
// halves of absl::Status's reference count it sees the one in the header and
// misses the one in the library. absl::Mutex is unseen altogether, which is a
// reason to use std::mutex. oneDNN is built without TSan: a static lock of its
// cache seems to be used without having been made.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "race:absl::*::Status::Unref\n"
         "race:dnnl::impl::utils::rw_mutex_t\n";
}
