#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swipestream_json_parser swipestream_json_parser;

swipestream_json_parser *swipestream_json_parser_create(void);
void swipestream_json_parser_destroy(swipestream_json_parser *parser);

// Parses one UTF-8 JSON document. Returns 0 and the document's tape and string buffer, both valid
// until the next call with this parser, or simdjson's error code. The tape's layout is simdjson's:
// https://github.com/simdjson/simdjson/blob/master/doc/tape.md
int swipestream_json_parse(swipestream_json_parser *parser, const uint8_t *bytes, size_t length,
                           const uint64_t **tape, const uint8_t **strings);

// A constant English sentence for an error code.
const char *swipestream_json_error_message(int code);

#ifdef __cplusplus
}
#endif
