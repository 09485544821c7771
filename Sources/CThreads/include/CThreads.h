#pragma once

// What Swift's Glibc module does not show.

// `name` is at most 15 bytes on Linux.
int swipestream_thread_set_name(const char *name);

// A non-blocking, close-on-exec event descriptor, or -1 with errno set.
int swipestream_event_descriptor(void);

// Begins to bring memory near, for a look at it that is soon to come. Any address will do.
static inline void swipestream_prefetch(const void *address) { __builtin_prefetch(address); }
