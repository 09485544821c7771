// The loops on ZeroMQ: ROUTER that writes durably, and PUSH to PULL.

#define _GNU_SOURCE
#include "bare.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

enum {
  // Commands in one write and one fdatasync at most.
  batch_limit = 16384,
  // Room is reserved in steps of this size, as the log does for its segments.
  reserve_bytes = 64 << 20,
  // `{"id":"` and an id of 16 characters: what a reply repeats of its request.
  echo_bytes = 23,
  // Large messages that may wait on either side, so that memory stays small.
  push_queue = 128,
};

static inline void check_zmq(int is_good, const char *what) {
  if (!is_good) check(0, what, zmq_strerror(zmq_errno()));
}

static void *open_socket(void *context, int type, int queue) {
  void *socket = zmq_socket(context, type);
  check_zmq(socket != NULL, "zmq_socket");
  check_zmq(zmq_setsockopt(socket, ZMQ_SNDHWM, &queue, sizeof queue) == 0, "ZMQ_SNDHWM");
  check_zmq(zmq_setsockopt(socket, ZMQ_RCVHWM, &queue, sizeof queue) == 0, "ZMQ_RCVHWM");
  return socket;
}

static void bind_and_tell(void *socket, const char *endpoint) {
  char bound[256];
  size_t length = sizeof bound;
  check_zmq(zmq_bind(socket, endpoint) == 0, endpoint);
  check_zmq(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, bound, &length) == 0, "ZMQ_LAST_ENDPOINT");
  printf("ready %s\n", bound);
  fflush(stdout);
}

// MARK: router

// The file that commands go to: bytes in the log's amount, at the log's kind of place (behind what
// is there, in reserved room), made durable by the log's call.
struct file {
  int descriptor;
  off_t end, reserved;
};

static void write_durably(struct file *file, const char *bytes, size_t count) {
  while (file->end + (off_t)count > file->reserved) {
    errno = posix_fallocate(file->descriptor, file->reserved, reserve_bytes);
    check_zmq(errno == 0, "posix_fallocate");
    file->reserved += reserve_bytes;
  }
  for (size_t done = 0; done < count;) {
    ssize_t written = pwrite(file->descriptor, bytes + done, count - done, file->end);
    check_zmq(written > 0, "pwrite");
    done += (size_t)written;
    file->end += written;
  }
  check_zmq(fdatasync(file->descriptor) == 0, "fdatasync");
}

// Takes in the rest of what is there; the first request is waited for.
static size_t receive_batch(void *socket, zmq_msg_t *peers, zmq_msg_t *requests) {
  size_t count = 0;
  while (count < batch_limit) {
    if (zmq_msg_recv(&peers[count], socket, count == 0 ? 0 : ZMQ_DONTWAIT) < 0) break;
    check_zmq(zmq_msg_more(&peers[count]), "a request without content");
    check_zmq(zmq_msg_recv(&requests[count], socket, ZMQ_DONTWAIT) >= 0, "zmq_msg_recv");
    check_zmq(!zmq_msg_more(&requests[count]), "a request of several frames");
    count++;
  }
  check_zmq(count > 0, "zmq_msg_recv");
  return count;
}

void route(const char *endpoint, const char *path, size_t command_bytes, size_t reply_bytes) {
  static zmq_msg_t peers[batch_limit], requests[batch_limit];
  struct file file = {open(path, O_RDWR | O_CREAT | O_TRUNC, 0644), 0, 0};
  check_zmq(file.descriptor >= 0, path);
  char *log = malloc(batch_limit * command_bytes);
  char *reply = malloc(reply_bytes);
  check_zmq(log != NULL && reply != NULL, "malloc");
  memset(log, 'x', batch_limit * command_bytes);
  memset(reply, ' ', reply_bytes);
  const char ending[] = "\",\"ok\":true}";
  check_zmq(reply_bytes >= echo_bytes + sizeof ending, "REPLY-BYTES");
  memcpy(reply + echo_bytes, ending, sizeof ending - 1);
  for (size_t i = 0; i < batch_limit; i++) {
    zmq_msg_init(&peers[i]);
    zmq_msg_init(&requests[i]);
  }

  void *socket = open_socket(zmq_ctx_new(), ZMQ_ROUTER, 0);
  bind_and_tell(socket, endpoint);
  for (;;) {
    size_t count = receive_batch(socket, peers, requests);
    write_durably(&file, log, count * command_bytes);
    for (size_t i = 0; i < count; i++) {
      check_zmq(zmq_msg_size(&requests[i]) >= echo_bytes, "a request without id");
      memcpy(reply, zmq_msg_data(&requests[i]), echo_bytes);
      check_zmq(zmq_msg_send(&peers[i], socket, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0, "zmq_msg_send");
      check_zmq(zmq_send(socket, reply, reply_bytes, ZMQ_DONTWAIT) >= 0, "zmq_send");
    }
  }
}

// MARK: push and pull

void pull(const char *endpoint, size_t messages) {
  void *context = zmq_ctx_new();
  void *socket = open_socket(context, ZMQ_PULL, push_queue);
  bind_and_tell(socket, endpoint);
  zmq_msg_t message;
  zmq_msg_init(&message);
  size_t bytes = 0;
  double start = 0;
  for (size_t i = 0; i < messages; i++) {
    check_zmq(zmq_msg_recv(&message, socket, 0) >= 0, "zmq_msg_recv");
    // The clock starts with the first message's arrival, when the connection stands.
    if (i == 0) start = now();
    bytes += zmq_msg_size(&message);
  }
  double seconds = now() - start;
  printf("{\"what\":\"pull\",\"messages\":%zu,\"bytes\":%zu,\"seconds\":%.6f}\n", messages, bytes, seconds);
  zmq_msg_close(&message);
  zmq_close(socket);
  zmq_ctx_term(context);
}

void push(const char *endpoint, size_t messages, size_t count) {
  void *context = zmq_ctx_new();
  void *socket = open_socket(context, ZMQ_PUSH, push_queue);
  check_zmq(zmq_connect(socket, endpoint) == 0, endpoint);
  char *content = malloc(count);
  check_zmq(content != NULL, "malloc");
  memset(content, 'x', count);
  for (size_t i = 0; i < messages; i++) check_zmq(zmq_send(socket, content, count, 0) >= 0, "zmq_send");
  // Both wait until everything has left.
  zmq_close(socket);
  zmq_ctx_term(context);
  free(content);
}
