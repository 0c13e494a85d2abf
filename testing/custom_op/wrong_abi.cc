// A library of operations of another build: it begins with another hash, and
// nothing behind that may be looked at.
extern "C" __attribute__((visibility("default"))) const void*
dovetail_op_library() {
  static const char abi[] = "0123456789abcdef";
  return abi;
}
