#pragma once
// The one-shot SHA256_* calls skip the provider look-up that costs more than hashing a command.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
