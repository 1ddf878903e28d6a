// The bytes inside a gzip file, decompressed as they are asked for.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pulsecast/data/readers/byte_source.h"

namespace pulsecast {

// Whether a file that starts with `head` is gzip.
bool is_gzip(std::string_view head);

// Files of several members, as `cat a.gz b.gz` makes them, are one run of bytes. Damage, a cut end
// and bytes after the last member throw Error(kData); `name` stands in the message.
std::unique_ptr<ByteSource> gunzip_source(std::unique_ptr<ByteSource> compressed, std::string name);

}  // namespace pulsecast
