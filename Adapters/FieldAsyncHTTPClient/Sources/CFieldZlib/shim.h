#include <zlib.h>

// `inflateInit2` is a macro, which Swift can't call. 47 accepts gzip and zlib.
static inline int fieldInflateInit(z_stream *stream) { return inflateInit2(stream, 47); }
