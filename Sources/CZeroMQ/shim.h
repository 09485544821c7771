#pragma once
#include <errno.h>
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
