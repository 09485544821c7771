#include "CSimdjson.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

struct swipestream_json_parser {
  simdjson::dom::parser parser;
  std::unique_ptr<uint8_t[]> buffer;
  size_t capacity = 0;
};

swipestream_json_parser *swipestream_json_parser_create(void) {
  return new (std::nothrow) swipestream_json_parser;
}

void swipestream_json_parser_destroy(swipestream_json_parser *parser) { delete parser; }

int swipestream_json_parse(swipestream_json_parser *p, const uint8_t *bytes, size_t length,
                           const uint64_t **tape, const uint8_t **strings) {
  // simdjson reads past the end, so the text is copied to where that is allowed.
  size_t needed = length + simdjson::SIMDJSON_PADDING;
  if (needed > p->capacity) {
    size_t capacity = needed < 4096 ? 4096 : needed * 2;
    p->buffer.reset(new (std::nothrow) uint8_t[capacity]);
    if (!p->buffer) {
      p->capacity = 0;
      return simdjson::MEMALLOC;
    }
    p->capacity = capacity;
  }
  if (length)
    std::memcpy(p->buffer.get(), bytes, length);
  std::memset(p->buffer.get() + length, 0, simdjson::SIMDJSON_PADDING);
  auto result = p->parser.parse(p->buffer.get(), length, false);
  if (result.error())
    return result.error();
  *tape = p->parser.doc.tape.get();
  *strings = p->parser.doc.string_buf.get();
  return 0;
}

const char *swipestream_json_error_message(int code) {
  return simdjson::error_message(static_cast<simdjson::error_code>(code));
}
