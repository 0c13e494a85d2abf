// Makes malformed IRs from well-formed ones.
#ifndef DOVETAIL_EXTENSIONS_IR_FUZZ_MUTATOR_H_
#define DOVETAIL_EXTENSIONS_IR_FUZZ_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string>

namespace dovetail::ir {

// The same seed gives the same mutations on every machine.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // The input (XML, NUL, weights) with one to four changes: bytes, attribute
  // values, numbers, lines, whole elements.
  std::string Mutate(std::string input);

  // A number below `limit`, 0 when that is 0.
  size_t Below(size_t limit);

 private:
  void MutateOnce(std::string* input);
  void ChangeBytes(std::string* input);
  void ChangeValue(std::string* input);
  void ExchangeValues(std::string* input);
  void ChangeLines(std::string* input);

  std::mt19937_64 random_;
};

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_FUZZ_MUTATOR_H_
