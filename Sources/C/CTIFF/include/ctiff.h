#pragma once
// libtiff's strips and tiles from memory: its functions take variable arguments, which Swift does not see.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ctiff_status {
  CTIFF_OK = 0,
  CTIFF_MALFORMED = 1,
  CTIFF_OUT_OF_MEMORY = 2,
} ctiff_status;

typedef struct ctiff_reader ctiff_reader;

typedef struct ctiff_info {
  uint32_t width, height;
  uint16_t bits, samples, sample_format, photometric, planar, compression, orientation, ink_set;
  uint16_t extra_count;       // samples behind those of the colours
  uint16_t extra[8];          // what they mean: 0 unknown, 1 premultiplied alpha, 2 straight alpha
  uint16_t chroma_x, chroma_y; // luma samples that share their chroma; 1 unless it is in YCbCr
  float luma[3];              // shares of red, green and blue in the luma of YCbCr
  float reference[6];         // black and white of luma, and of both kinds of chroma
  float white[2];             // chromaticity of white; that of D50 if the file says nothing
  bool tiled;
  uint32_t unit_width;        // of a strip or tile
  uint32_t unit_height;       // of a strip or tile; the last strip may have fewer rows
  size_t unit_bytes;          // of a whole strip or tile once it is decoded
  const uint8_t *icc;         // owned by the reader; NULL without a profile
  size_t icc_bytes;
  const uint16_t *palette[3]; // owned by the reader; 1 << bits entries each, or NULL
} ctiff_info;

// NULL when memory is short. `bytes` outlive the reader.
ctiff_reader *ctiff_create(const uint8_t *bytes, size_t count);
void ctiff_destroy(ctiff_reader *reader);

// Reads a directory, counted from 0. libtiff allocates no piece of more than `memory_max` bytes.
ctiff_status ctiff_start(ctiff_reader *reader, uint16_t directory, size_t memory_max, ctiff_info *info);
// Decodes strip or tile number `index` into `count` bytes, neither more nor fewer. A warning counts as
// damage: it means that pixels were made up.
ctiff_status ctiff_read(ctiff_reader *reader, uint32_t index, uint8_t *pixels, size_t count);
// The number of the tile at a pixel of a plane; of the strip in files without tiles.
uint32_t ctiff_unit(const ctiff_reader *reader, uint32_t x, uint32_t y, uint16_t plane);
// libtiff's words for the last status that was not CTIFF_OK.
const char *ctiff_message(const ctiff_reader *reader);
