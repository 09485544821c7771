#pragma once
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <sys/socket.h>
#include <zmq.h>

// Makes a listening TCP socket drop what asks for a connection; the peers try again by themselves.
// Connections that exist do not notice. Unbinding instead would end them: libzmq's sessions belong
// to their listener.
static inline int swipestream_pause_listening(int descriptor) {
  struct sock_filter drop_all[] = {{BPF_RET | BPF_K, 0, 0, 0}};
  struct sock_fprog program = {1, drop_all};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

static inline int swipestream_resume_listening(int descriptor) {
  int unused = 0;
  return setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

// Sends `bytes` as they lie, which stay there until libzmq calls `release`: once they are on their
// way, or dropped, and at once where the send fails. Returns as zmq_msg_send does.
static inline int swipestream_send_kept(void *socket, const void *bytes, size_t length,
                                        zmq_free_fn *release, void *hint, int flags) {
  zmq_msg_t message;
  if (zmq_msg_init_data(&message, (void *)bytes, length, release, hint) != 0) {
    int code = zmq_errno();
    release((void *)bytes, hint);
    errno = code;
    return -1;
  }
  int sent = zmq_msg_send(&message, socket, flags);
  if (sent < 0) {
    int code = zmq_errno();
    zmq_msg_close(&message);
    errno = code;
  }
  return sent;
}

// Sends a copy of `bytes` that libzmq gives back through `release` once it is on its way, or dropped.
// `release` frees the copy; where the send fails it is called at once. Returns as zmq_msg_send does.
static inline int swipestream_send_metered(void *socket, const void *bytes, size_t length,
                                           zmq_free_fn *release, void *hint, int flags) {
  void *copy = malloc(length ? length : 1);
  if (!copy) {
    release(NULL, hint);
    errno = ENOMEM;
    return -1;
  }
  memcpy(copy, bytes, length);
  return swipestream_send_kept(socket, copy, length, release, hint, flags);
}
