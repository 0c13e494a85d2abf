#ifndef DOVETAIL_TOOLS_BUILD_RULES_TESTING_DESCRIBE_H_
#define DOVETAIL_TOOLS_BUILD_RULES_TESTING_DESCRIBE_H_

#include <map>
#include <string>

namespace dovetail {

// "name" and then each option, "key=value".
std::string Describe(const std::string& name,
                     const std::map<std::string, int>& options);

}  // namespace dovetail

#endif  // DOVETAIL_TOOLS_BUILD_RULES_TESTING_DESCRIBE_H_
