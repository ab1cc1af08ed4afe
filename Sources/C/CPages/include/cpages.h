#pragma once
// The files of the pages that the programs serve, as they are in the folders beside this one.
// As literals of Swift they cost seconds of each build.

#include <stddef.h>

typedef struct cpages_file {
  const unsigned char *bytes;  // NULL if there is no such file
  size_t count;
} cpages_file;

// Finds a file by its name without folders, "gallery.css" for example.
cpages_file cpages_find(const char *name);
