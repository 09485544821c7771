#pragma once

// What Swift's Glibc module does not show.

// `name` is at most 15 bytes on Linux.
int swipestream_thread_set_name(const char *name);

// A non-blocking, close-on-exec event descriptor, or -1 with errno set.
int swipestream_event_descriptor(void);
