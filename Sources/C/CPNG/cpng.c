#include "cpng.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes one chunk may make libpng allocate, and chunks it may keep: its own defaults.
#define CHUNK_BYTES_MAX 8000000
#define CHUNKS_MAX 1000

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  size_t row_read;      // bytes taken since a row was asked for
  size_t row_read_max;  // 0 for any number
  cpng_status status;
  char message[128];
};

static void note(cpng_reader *reader, cpng_status status, const char *message) {
  if (reader->status != CPNG_OK) return;
  reader->status = status;
  snprintf(reader->message, sizeof reader->message, "%s", message);
}

static void on_error(png_structp png, png_const_charp message) {
  note(png_get_error_ptr(png), CPNG_MALFORMED, message);
  png_longjmp(png, 1);
}

// libpng only warns when the compressed data turns out damaged behind the last row. Such pixels are
// not to be trusted; data that goes on behind a whole picture is harmless.
static void on_warning(png_structp png, png_const_charp message) {
  if (strncmp(message, "IDAT: ", 6) != 0) return;
  if (strcmp(message, "IDAT: Extra compressed data") == 0) return;
  if (strcmp(message, "IDAT: Too much image data") == 0) return;
  note(png_get_error_ptr(png), CPNG_MALFORMED, message);
}

static void on_read(png_structp png, png_bytep data, size_t count) {
  cpng_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) {
    note(reader, CPNG_TRUNCATED, "the file ends before the picture does");
    png_error(png, reader->message);
  }
  reader->row_read += count;
  if (reader->row_read_max != 0 && reader->row_read > reader->row_read_max) {
    note(reader, CPNG_MALFORMED, "more data than its rows need");
    png_error(png, reader->message);
  }
  memcpy(data, reader->bytes + reader->position, count);
  reader->position += count;
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t count) {
  void *memory = malloc(count);
  if (memory == NULL) note(png_get_mem_ptr(png), CPNG_OUT_OF_MEMORY, "out of memory");
  return memory;
}

static void on_free(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count) {
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, reader, on_allocate, on_free);
  if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    cpng_reader_destroy(reader);
    return NULL;
  }
  return reader;
}

void cpng_reader_destroy(cpng_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->message; }

// Of the ancillary chunks libpng reads the transparency alone; texts and profiles are never inflated.
static void configure(png_structp png) {
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the caller has looked at the sides
  png_set_chunk_malloc_max(png, CHUNK_BYTES_MAX);
  png_set_chunk_cache_max(png, CHUNKS_MAX);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

static void expand_to_rgba(png_structp png, int bit_depth) {
  const uint16_t probe = 1;
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, bit_depth == 16 ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
  if (bit_depth == 16 && *(const uint8_t *)&probe == 1) png_set_swap(png);
}

cpng_status cpng_reader_start(cpng_reader *reader, cpng_info *out) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return reader->status;
  configure(png);
  png_set_read_fn(png, reader, on_read);
  png_read_info(png, reader->info);

  memset(out, 0, sizeof *out);
  out->width = png_get_image_width(png, reader->info);
  out->height = png_get_image_height(png, reader->info);
  out->bit_depth = png_get_bit_depth(png, reader->info);
  out->color_type = png_get_color_type(png, reader->info);
  out->interlaced = png_get_interlace_type(png, reader->info) != PNG_INTERLACE_NONE;
  out->has_alpha = (out->color_type & PNG_COLOR_MASK_ALPHA) != 0 ||
                   png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;

  expand_to_rgba(png, out->bit_depth);
  if (out->interlaced) png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  out->row_bytes = png_get_rowbytes(png, reader->info);
  return reader->status;
}

cpng_status cpng_reader_bound_rows(cpng_reader *reader) {
  const size_t buffer = 1024;
  if (setjmp(png_jmpbuf(reader->png))) return reader->status;
  png_set_compression_buffer_size(reader->png, buffer);
  // Twice a row, some room and a full buffer: no packing makes a row so much longer.
  reader->row_read_max = 2 * png_get_rowbytes(reader->png, reader->info) + 1024 + buffer;
  return reader->status;
}

cpng_status cpng_reader_take_small_parts(cpng_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->status;
  png_set_compression_buffer_size(reader->png, 64);
  return reader->status;
}

cpng_status cpng_reader_row(cpng_reader *reader, uint8_t *row) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->status;
  reader->row_read = 0;
  png_read_row(reader->png, row, NULL);
  return reader->status;
}

cpng_status cpng_reader_image(cpng_reader *reader, uint8_t *pixels) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->status;
  const size_t stride = png_get_rowbytes(reader->png, reader->info);
  const png_uint_32 height = png_get_image_height(reader->png, reader->info);
  const int passes = png_set_interlace_handling(reader->png);
  for (int pass = 0; pass < passes; pass++) {
    for (png_uint_32 y = 0; y < height; y++) {
      reader->row_read = 0;
      png_read_row(reader->png, pixels + y * stride, NULL);
    }
  }
  return reader->status;
}

cpng_status cpng_reader_finish(cpng_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->status;
  reader->row_read = 0;
  png_read_end(reader->png, NULL);
  return reader->status;
}
