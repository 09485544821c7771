#pragma once
#include <sqlite3.h>

// Without a count of all memory in use SQLite takes no lock for each piece of it. Before the first
// connection; variadic functions cannot be called from Swift.
static inline int swipestream_sqlite_configure(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// SQLITE_TRANSIENT is a cast function pointer, which the importer cannot see.
static inline int swipestream_bind_text(sqlite3_stmt *statement, int index, const char *bytes,
                                        int length) {
  return sqlite3_bind_text(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// For text that stays where it is until the statement is reset.
static inline int swipestream_bind_lent_text(sqlite3_stmt *statement, int index, const char *bytes,
                                             int length) {
  return sqlite3_bind_text(statement, index, bytes, length, SQLITE_STATIC);
}

static inline int swipestream_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                        int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
