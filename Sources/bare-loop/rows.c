// The bare SQLite loop: prepared statements, their parameters bound and stepped one after the other,
// with the settings that a view has while it is rebuilt (ViewStore in Sources/ReadModels).
//
// INPUT, all numbers in the machine's byte order:
//   text                  the tables, as SQL
//   uint32, text…         the number of statements, and each as SQL
//   steps to its end      uint8 statement (255: commit, and begin anew), uint8 number of parameters,
//                         each a uint8 type: 0 null; 1 and an int64; 2 and a text
// where a text is a uint32 of its bytes and the bytes.

#include "bare.h"
#include "mapped.h"
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { statement_limit = 64, commit_step = 255 };

static sqlite3 *database;

static inline void check_sqlite(int is_good, const char *what) {
  if (!is_good) check(0, what, database ? sqlite3_errmsg(database) : "out of memory");
}

static void run(const char *sql) {
  check_sqlite(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

// What is left to read.
static struct mapped input;

static const uint8_t *take(size_t count) {
  check(count <= input.count, "INPUT", "it ends within a step");
  const uint8_t *bytes = input.bytes;
  input.bytes += count;
  input.count -= count;
  return bytes;
}

static uint32_t take_count(void) {
  uint32_t count;
  memcpy(&count, take(sizeof count), sizeof count);
  return count;
}

static char *take_text(void) {
  uint32_t count = take_count();
  char *text = strndup((const char *)take(count), count);
  check(text != NULL, "INPUT", "out of memory");
  return text;
}

static void bind(sqlite3_stmt *statement, int parameter) {
  int code;
  switch (*take(1)) {
  case 0: code = sqlite3_bind_null(statement, parameter); break;
  case 1: {
    sqlite3_int64 value;
    memcpy(&value, take(sizeof value), sizeof value);
    code = sqlite3_bind_int64(statement, parameter, value);
    break;
  }
  default: {
    uint32_t count = take_count();
    code = sqlite3_bind_text(statement, parameter, (const char *)take(count), (int)count, SQLITE_STATIC);
  }
  }
  check_sqlite(code == SQLITE_OK, "bind");
}

static void open_database(const char *path) {
  unlink(path);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  check_sqlite(sqlite3_open_v2(path, &database, flags, "unix-excl") == SQLITE_OK, path);
  run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
      "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768");
}

static void sync_file(const char *path) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  check(descriptor >= 0 && fsync(descriptor) == 0, path, "it cannot be synced");
  close(descriptor);
}

void write_rows(const char *input_path, const char *database_path) {
  input = map_file(input_path);
  sqlite3_stmt *statements[statement_limit];
  size_t steps = 0;
  double start = now();
  open_database(database_path);
  char *tables = take_text();
  run(tables);
  uint32_t count = take_count();
  check(count <= statement_limit, "INPUT", "too many statements");
  for (uint32_t i = 0; i < count; i++) {
    char *sql = take_text();
    int code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statements[i], NULL);
    check_sqlite(code == SQLITE_OK, sql);
    free(sql);
  }
  run("BEGIN IMMEDIATE");
  while (input.count > 0) {
    uint8_t step = *take(1);
    if (step == commit_step) {
      run("COMMIT; BEGIN IMMEDIATE");
      continue;
    }
    check(step < count, "INPUT", "it names no statement");
    sqlite3_stmt *statement = statements[step];
    int parameters = *take(1);
    for (int i = 1; i <= parameters; i++) bind(statement, i);
    check_sqlite(sqlite3_step(statement) == SQLITE_DONE, sqlite3_sql(statement));
    sqlite3_reset(statement);
    steps++;
  }
  run("COMMIT");
  for (uint32_t i = 0; i < count; i++) sqlite3_finalize(statements[i]);
  sqlite3_close(database);
  sync_file(database_path);
  printf("{\"what\":\"rows\",\"steps\":%zu,\"seconds\":%.6f}\n", steps, now() - start);
  free(tables);
}
