#pragma once
#include <archive.h>
#include <archive_entry.h>

// Swift does not see macros with casts.
static const __LA_MODE_T carchive_regular_file = AE_IFREG;
static const __LA_MODE_T carchive_folder = AE_IFDIR;
