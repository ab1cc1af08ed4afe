#pragma once
// libpng's row interface with its setjmp kept inside C: every function returns a status.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cpng_status {
  CPNG_OK = 0,
  CPNG_TRUNCATED = 1,
  CPNG_MALFORMED = 2,
  CPNG_OUT_OF_MEMORY = 3,
} cpng_status;

typedef struct cpng_reader cpng_reader;

typedef struct cpng_info {
  uint32_t width, height;
  uint8_t bit_depth;   // as stored: 1, 2, 4, 8, 16
  uint8_t color_type;  // as stored: 0 gray, 2 RGB, 3 palette, 4 gray+alpha, 6 RGBA
  bool interlaced;
  bool has_alpha;      // an alpha channel or a tRNS chunk that was understood
  size_t row_bytes;    // of an expanded row
} cpng_info;

// Reads from `bytes`, which outlive the reader. NULL when memory is short.
cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count);
void cpng_reader_destroy(cpng_reader *reader);

// Reads up to the pixels and asks for rows of RGBA: 8 bit, or 16 bit in the machine's byte order.
cpng_status cpng_reader_start(cpng_reader *reader, cpng_info *info);
// From now on refuses a picture of which a row takes more compressed bytes than it can need. Behind the
// last row libpng inflates whatever is left, a thousand times its size; with many pictures in a file
// that would be a lot of time.
cpng_status cpng_reader_bound_rows(cpng_reader *reader);
// From now on takes compressed data in parts of 64 bytes: of a part that is cut off, libpng gives no row.
cpng_status cpng_reader_take_small_parts(cpng_reader *reader);
// The next row of a picture that is not interlaced; `row` holds `row_bytes`.
cpng_status cpng_reader_row(cpng_reader *reader, uint8_t *row);
// All rows, interlaced or not; `pixels` holds `height` rows of `row_bytes`.
cpng_status cpng_reader_image(cpng_reader *reader, uint8_t *pixels);
// Reads what stands behind the pixels, up to IEND.
cpng_status cpng_reader_finish(cpng_reader *reader);
// libpng's words for the last status that was not CPNG_OK.
const char *cpng_reader_message(const cpng_reader *reader);
