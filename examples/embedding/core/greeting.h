// A header of the application's own, in a folder that Dovetail has too: since
// Dovetail's headers are included as "dovetail/core/...", nothing collides.
#ifndef EMBEDDING_CORE_GREETING_H_
#define EMBEDDING_CORE_GREETING_H_

inline constexpr char kGreeting[] = "devices:";

#endif  // EMBEDDING_CORE_GREETING_H_
