#include "cpng.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct writer {
  cpng_sink sink;
  void *context;
  cpng_status status;
} writer;

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t count) {
  writer *target = png_get_io_ptr(png);
  if (!target->sink(target->context, data, count)) png_error(png, "out of memory");
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t count) {
  writer *target = png_get_mem_ptr(png);
  void *memory = malloc(count);
  if (memory == NULL) target->status = CPNG_OUT_OF_MEMORY;
  return memory;
}

static void on_free(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

static void on_flush(png_structp png) { (void)png; }

static void write_palette(png_structp png, png_infop info, const cpng_palette *palette) {
  png_color colors[256];
  for (int i = 0; i < palette->color_count; i++) {
    colors[i] = (png_color){palette->colors[i][0], palette->colors[i][1], palette->colors[i][2]};
  }
  png_set_PLTE(png, info, colors, palette->color_count);
  if (palette->alpha_count > 0) {
    png_set_tRNS(png, info, palette->alphas, palette->alpha_count, NULL);
  }
}

static void write_all(png_structp png, png_infop info, const cpng_picture *picture) {
  png_set_IHDR(
      png, info, picture->width, picture->height, picture->bit_depth, picture->color_type,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (picture->palette != NULL) write_palette(png, info, picture->palette);
  png_set_compression_level(png, picture->compression_level);
  png_set_filter(
      png, PNG_FILTER_TYPE_BASE, picture->adaptive_filters ? PNG_ALL_FILTERS : PNG_FILTER_NONE);
  png_write_info(png, info);
  for (uint32_t y = 0; y < picture->height; y++) {
    png_write_row(png, picture->pixels + y * picture->stride);
  }
  png_write_end(png, NULL);
}

cpng_status cpng_write(const cpng_picture *picture, cpng_sink sink, void *context) {
  writer target = {sink, context, CPNG_MALFORMED};
  png_structp png = png_create_write_struct_2(
      PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning, &target, on_allocate, on_free);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_write_struct(&png, NULL);
    return CPNG_OUT_OF_MEMORY;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return target.status;
  }
  png_set_write_fn(png, &target, on_write, on_flush);
  write_all(png, info, picture);
  png_destroy_write_struct(&png, &info);
  return CPNG_OK;
}
