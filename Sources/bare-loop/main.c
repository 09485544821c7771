// What ZeroMQ, SQLite, the disk and the memory give without a service on top: the baselines of
// Scripts/bench. Plain C, single-threaded, no parsing, no state: whoever does more is slower.

#define _GNU_SOURCE
#include "bare.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

static const char usage[] =
    "usage: bare-loop router ENDPOINT FILE COMMAND-BYTES REPLY-BYTES\n"
    "         answers requests; writes COMMAND-BYTES for each into FILE, one fdatasync a batch\n"
    "       bare-loop pull ENDPOINT MESSAGES\n"
    "       bare-loop push ENDPOINT MESSAGES BYTES\n"
    "       bare-loop scan BLOCK-BYTES FILE…\n"
    "         a CRC-32C of each block of all files\n"
    "       bare-loop rows INPUT DATABASE\n"
    "         runs the prepared statements that INPUT holds, see rows.c\n"
    "       bare-loop versions\n"
    "         the libraries'\n"
    "\n"
    "`router` and `pull` bind, and print where (port * picks a free one); `router` serves until it\n"
    "is killed.\n";

void check(int is_good, const char *what, const char *why) {
  if (is_good) return;
  fprintf(stderr, "bare-loop: %s: %s\n", what, why);
  exit(1);
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void print_versions(void) {
  int major, minor, patch;
  zmq_version(&major, &minor, &patch);
  printf("{\"libzmq\":\"%d.%d.%d\",\"sqlite\":\"%s\"}\n", major, minor, patch,
         sqlite3_libversion());
}

static size_t number(const char *text) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (*end != 0 || value < 1) {
    fprintf(stderr, "bare-loop: '%s' is no positive integer\n", text);
    exit(2);
  }
  return (size_t)value;
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  if (count == 6 && strcmp(mode, "router") == 0) {
    route(arguments[2], arguments[3], number(arguments[4]), number(arguments[5]));
  } else if (count == 4 && strcmp(mode, "pull") == 0) {
    pull(arguments[2], number(arguments[3]));
  } else if (count == 5 && strcmp(mode, "push") == 0) {
    push(arguments[2], number(arguments[3]), number(arguments[4]));
  } else if (count >= 4 && strcmp(mode, "scan") == 0) {
    scan(arguments + 3, (size_t)count - 3, number(arguments[2]));
  } else if (count == 4 && strcmp(mode, "rows") == 0) {
    write_rows(arguments[2], arguments[3]);
  } else if (count == 2 && strcmp(mode, "versions") == 0) {
    print_versions();
  } else {
    fputs(usage, stderr);
    return 2;
  }
  return 0;
}
