// What the camera sees: pictures of a file, in the camera's format, with what is wrong with them.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

uint32_t fourcc(void);
int width(void);
int height(void);
int is_jpeg(void);
/// Bytes from one row to the next.
int stride(void);
/// Bytes of one picture with rows of this length.
size_t picture_bytes(int row);

/// Reads the file of pictures, once.
void load_pictures(void);

/// Puts the next picture into a buffer; says how many bytes of it count.
size_t next_picture(uint8_t *out, uint32_t sequence);

#pragma GCC visibility pop
