#include "dovetail/backends/vpu/custom/shave/worker/message.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace dovetail::vpu {
namespace {

using End = Received::End;

// A source or a driver's binary is far below.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

union FileControl {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

bool SendAll(int socket, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool SendWithFile(int socket, absl::string_view bytes, int file) {
  iovec part = {const_cast<char*>(bytes.data()), bytes.size()};
  FileControl control = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof(control.bytes);
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &file, sizeof(int));
  ssize_t count = 0;
  do {
    count = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  return SendAll(socket, bytes.substr(static_cast<size_t>(count)));
}

End Await(int socket, int64_t most_ms) {
  const int time = static_cast<int>(
      std::clamp<int64_t>(most_ms, -1, std::numeric_limits<int>::max()));
  while (true) {
    pollfd one = {socket, POLLIN, 0};
    const int ready = poll(&one, 1, time);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return End::kTimeOut;
    return ready < 0 ? End::kClosed : End::kDone;
  }
}

// So many bytes, and a file that comes with them.
End ReceiveAll(int socket, int64_t most_ms, char* to, size_t bytes, int* file) {
  while (bytes > 0) {
    if (const End end = Await(socket, most_ms); end != End::kDone) return end;
    iovec part = {to, bytes};
    FileControl control = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof(control.bytes);
    const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return End::kClosed;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(file, CMSG_DATA(header), sizeof(int));
    }
    to += count;
    bytes -= static_cast<size_t>(count);
  }
  return End::kDone;
}

}  // namespace

bool SendMessage(int socket, absl::string_view bytes, int file) {
  const uint64_t length = bytes.size();
  const absl::string_view head(reinterpret_cast<const char*>(&length),
                               sizeof(length));
  return (file < 0 ? SendAll(socket, head)
                   : SendWithFile(socket, head, file)) &&
         SendAll(socket, bytes);
}

Received ReceiveMessage(int socket, int64_t most_ms) {
  Received received;
  uint64_t length = 0;
  received.end = ReceiveAll(socket, most_ms, reinterpret_cast<char*>(&length),
                            sizeof(length), &received.file);
  if (received.end != End::kDone) return received;
  if (length > kMostBytes) {
    received.end = End::kClosed;
    return received;
  }
  received.bytes.resize(length);
  received.end = ReceiveAll(socket, most_ms, received.bytes.data(), length,
                            &received.file);
  return received;
}

}  // namespace dovetail::vpu
