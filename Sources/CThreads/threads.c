#define _GNU_SOURCE
#include "CThreads.h"
#include <pthread.h>
#include <sys/eventfd.h>

int swipestream_thread_set_name(const char *name) {
  return pthread_setname_np(pthread_self(), name);
}

int swipestream_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
