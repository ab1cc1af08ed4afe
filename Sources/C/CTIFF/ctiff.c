#include "ctiff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct ctiff_reader {
  const uint8_t *bytes;
  size_t count;
  size_t offset;
  TIFF *file;
  bool tiled;
  bool failed;
  bool warned;
  char message[200];
};

// MARK: - A file in memory

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
  ctiff_reader *reader = handle;
  size_t left = reader->offset < reader->count ? reader->count - reader->offset : 0;
  size_t taken = wanted < 0 ? 0 : (size_t)wanted < left ? (size_t)wanted : left;
  memcpy(target, reader->bytes + (taken ? reader->offset : 0), taken);
  reader->offset += taken;
  return (tmsize_t)taken;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  ctiff_reader *reader = handle;
  toff_t base = whence == SEEK_CUR ? reader->offset : whence == SEEK_END ? reader->count : 0;
  if (offset > (toff_t)INT64_MAX - base) return (toff_t)-1;
  reader->offset = (size_t)(base + offset);
  return reader->offset;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((ctiff_reader *)handle)->count; }

// MARK: - What libtiff says

static void note(ctiff_reader *reader, const char *format, va_list arguments) {
  if (!reader->failed) vsnprintf(reader->message, sizeof reader->message, format, arguments);
}

static int note_error(TIFF *file, void *data, const char *module, const char *format, va_list list) {
  (void)file, (void)module;
  ctiff_reader *reader = data;
  note(reader, format, list);
  reader->failed = true;
  return 1;
}

static int note_warning(TIFF *file, void *data, const char *module, const char *format, va_list list) {
  (void)file, (void)module;
  ctiff_reader *reader = data;
  note(reader, format, list);
  reader->warned = true;
  return 1;
}

// MARK: - Reading

ctiff_reader *ctiff_create(const uint8_t *bytes, size_t count) {
  ctiff_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  return reader;
}

void ctiff_destroy(ctiff_reader *reader) {
  if (reader->file != NULL) TIFFClose(reader->file);
  free(reader);
}

static uint16_t field(TIFF *file, uint32_t tag, uint16_t otherwise) {
  uint16_t value = otherwise;
  return TIFFGetFieldDefaulted(file, tag, &value) == 1 ? value : otherwise;
}

// Fields that say how YCbCr and CIE Lab become other colours; libtiff has a default for each.
static void read_color(TIFF *file, ctiff_info *info) {
  info->chroma_x = info->chroma_y = 1;
  if (info->photometric == PHOTOMETRIC_YCBCR && info->compression != COMPRESSION_JPEG)
    TIFFGetFieldDefaulted(file, TIFFTAG_YCBCRSUBSAMPLING, &info->chroma_x, &info->chroma_y);
  float *values = NULL;
  if (TIFFGetFieldDefaulted(file, TIFFTAG_YCBCRCOEFFICIENTS, &values) && values != NULL)
    memcpy(info->luma, values, sizeof info->luma);
  if (TIFFGetFieldDefaulted(file, TIFFTAG_REFERENCEBLACKWHITE, &values) && values != NULL)
    memcpy(info->reference, values, sizeof info->reference);
  if (TIFFGetFieldDefaulted(file, TIFFTAG_WHITEPOINT, &values) && values != NULL)
    memcpy(info->white, values, sizeof info->white);
}

ctiff_status ctiff_start(ctiff_reader *reader, uint16_t directory, size_t memory_max, ctiff_info *info) {
  memset(info, 0, sizeof *info);
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) return CTIFF_OUT_OF_MEMORY;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory_max);
  TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, reader);
  TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, reader);
  // m: do not map the file, which is in memory already.
  reader->file = TIFFClientOpenExt("", "rm", reader, read_bytes, write_bytes, seek, close_nothing, size,
                                   NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  TIFF *file = reader->file;
  if (file == NULL) return CTIFF_MALFORMED;
  if (directory > 0 && !TIFFSetDirectory(file, directory)) return CTIFF_MALFORMED;
  if (!TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &info->width) ||
      !TIFFGetField(file, TIFFTAG_IMAGELENGTH, &info->height)) {
    snprintf(reader->message, sizeof reader->message, "it has no size");
    return CTIFF_MALFORMED;
  }
  info->bits = field(file, TIFFTAG_BITSPERSAMPLE, 1);
  info->samples = field(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  info->sample_format = field(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  info->planar = field(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  info->compression = field(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  info->orientation = field(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  info->ink_set = field(file, TIFFTAG_INKSET, INKSET_CMYK);
  if (!TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &info->photometric)) {
    snprintf(reader->message, sizeof reader->message, "it does not say what its samples are");
    return CTIFF_MALFORMED;
  }
  if (info->compression == COMPRESSION_JPEG && info->photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  read_color(file, info);
  uint16_t count = 0, *kinds = NULL;
  if (TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &count, &kinds) && kinds != NULL) {
    info->extra_count = count;
    for (uint16_t i = 0; i < count && i < 8; i++) info->extra[i] = kinds[i];
  }
  reader->tiled = info->tiled = TIFFIsTiled(file) != 0;
  if (info->tiled) {
    TIFFGetField(file, TIFFTAG_TILEWIDTH, &info->unit_width);
    TIFFGetField(file, TIFFTAG_TILELENGTH, &info->unit_height);
  } else {
    info->unit_width = info->width;
    info->unit_height = info->height;
    uint32_t rows = 0;
    if (TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows) && rows > 0 && rows < info->height)
      info->unit_height = rows;
  }
  tmsize_t bytes = info->tiled ? TIFFTileSize(file) : TIFFStripSize(file);
  if (bytes <= 0) return CTIFF_MALFORMED;
  info->unit_bytes = (size_t)bytes;
  uint32_t icc_bytes = 0;
  void *icc = NULL;
  if (TIFFGetField(file, TIFFTAG_ICCPROFILE, &icc_bytes, &icc)) {
    info->icc = icc;
    info->icc_bytes = icc_bytes;
  }
  uint16_t *red = NULL, *green = NULL, *blue = NULL;
  if (info->photometric == PHOTOMETRIC_PALETTE &&
      TIFFGetField(file, TIFFTAG_COLORMAP, &red, &green, &blue)) {
    info->palette[0] = red;
    info->palette[1] = green;
    info->palette[2] = blue;
  }
  return CTIFF_OK;
}

uint32_t ctiff_unit(const ctiff_reader *reader, uint32_t x, uint32_t y, uint16_t plane) {
  return reader->tiled ? TIFFComputeTile(reader->file, x, y, 0, plane)
                       : TIFFComputeStrip(reader->file, y, plane);
}

ctiff_status ctiff_read(ctiff_reader *reader, uint32_t index, uint8_t *pixels, size_t count) {
  reader->failed = reader->warned = false;
  reader->message[0] = 0;
  tmsize_t got = reader->tiled
                     ? TIFFReadEncodedTile(reader->file, index, pixels, (tmsize_t)count)
                     : TIFFReadEncodedStrip(reader->file, index, pixels, (tmsize_t)count);
  if (got == (tmsize_t)count && !reader->failed && !reader->warned) return CTIFF_OK;
  if (reader->message[0] == 0) snprintf(reader->message, sizeof reader->message, "pixels are missing");
  return CTIFF_MALFORMED;
}

const char *ctiff_message(const ctiff_reader *reader) { return reader->message; }
