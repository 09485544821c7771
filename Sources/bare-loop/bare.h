#pragma once
#include <stddef.h>

// Ends the process where something failed, and says what and why.
void check(int is_good, const char *what, const char *why);

// Seconds since some time in the past.
double now(void);

// zeromq.c
void route(const char *endpoint, const char *path, size_t command_bytes, size_t reply_bytes);
void pull(const char *endpoint, size_t messages);
void push(const char *endpoint, size_t messages, size_t count);

// scan.c
void scan(char **paths, size_t count, size_t block_bytes);

// rows.c
void write_rows(const char *input_path, const char *database_path);
