// GMime's casts, type checks and unref are GObject macros, which Swift cannot call: each is a
// function here. Ownership is stated where a caller has something to release.

#ifndef CGMIME_SHIM_H
#define CGMIME_SHIM_H

#include <gmime/gmime.h>

typedef enum {
  CGMIME_KIND_OTHER = 0,
  CGMIME_KIND_PART,
  CGMIME_KIND_MULTIPART,
  CGMIME_KIND_MESSAGE
} cgmime_kind;

static inline void cgmime_unref_message(GMimeMessage *message) { g_object_unref(message); }

static inline void cgmime_unref_addresses(InternetAddressList *list) { g_object_unref(list); }

/// Parses one whole message from a copy of `bytes`. Null, or a message to unref.
static inline GMimeMessage *cgmime_parse_message(
    const void *bytes, size_t count, GMimeParserOptions *options) {
  GMimeStream *stream = g_mime_stream_mem_new_with_buffer((const char *)bytes, count);
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
  GMimeMessage *message = g_mime_parser_construct_message(parser, options);
  g_object_unref(parser);
  g_object_unref(stream);
  return message;
}

static inline GMimeHeaderList *cgmime_message_headers(GMimeMessage *message) {
  return g_mime_object_get_header_list((GMimeObject *)message);
}

static inline cgmime_kind cgmime_object_kind(GMimeObject *object) {
  if (GMIME_IS_MULTIPART(object)) return CGMIME_KIND_MULTIPART;
  if (GMIME_IS_MESSAGE_PART(object)) return CGMIME_KIND_MESSAGE;
  if (GMIME_IS_PART(object)) return CGMIME_KIND_PART;
  return CGMIME_KIND_OTHER;
}

static inline int cgmime_multipart_count(GMimeObject *multipart) {
  return g_mime_multipart_get_count((GMimeMultipart *)multipart);
}

static inline GMimeObject *cgmime_multipart_child(GMimeObject *multipart, int index) {
  return g_mime_multipart_get_part((GMimeMultipart *)multipart, index);
}

/// The root part of an embedded message, or null.
static inline GMimeObject *cgmime_embedded_root(GMimeObject *part) {
  GMimeMessage *message = g_mime_message_part_get_message((GMimeMessagePart *)part);
  return message ? g_mime_message_get_mime_part(message) : NULL;
}

/// A leaf part's content with its transfer encoding undone. Null, or an array to unref.
static inline GByteArray *cgmime_part_content(GMimeObject *part) {
  GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)part);
  if (!content) return NULL;
  GByteArray *bytes = g_byte_array_new();
  GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);
  g_mime_stream_mem_set_owner((GMimeStreamMem *)stream, FALSE);
  g_mime_data_wrapper_write_to_stream(content, stream);
  g_object_unref(stream);
  return bytes;
}

/// The mailbox behind an address (null for a group).
static inline InternetAddressMailbox *cgmime_as_mailbox(InternetAddress *address) {
  return INTERNET_ADDRESS_IS_MAILBOX(address) ? (InternetAddressMailbox *)address : NULL;
}

/// The members of a group (null for a mailbox).
static inline InternetAddressList *cgmime_group_members(InternetAddress *address) {
  return INTERNET_ADDRESS_IS_GROUP(address)
      ? internet_address_group_get_members((InternetAddressGroup *)address) : NULL;
}

#endif
