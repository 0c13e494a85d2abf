// Scripts and style of the pages, as they stand beside this file.
#ifndef DOVETAIL_TOOLS_PAGES_TEXTS_H_
#define DOVETAIL_TOOLS_PAGES_TEXTS_H_

namespace dovetail::pages {

extern const char kStyle[];
extern const char kDrawScript[];   // what all pages draw with
extern const char kGraphScript[];  // graphs as pictures
extern const char kProfileScript[];
extern const char kProgramScript[];  // behind kProfileScript
extern const char kCompareScript[];

}  // namespace dovetail::pages

#endif  // DOVETAIL_TOOLS_PAGES_TEXTS_H_
