#pragma once
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>

/// Loads the decoder of HEVC where libheif has it as a plug-in, and no other plug-in; without this, libheif looks for all
/// of them when it is first used, and in a process that may open no file finds none. Called once, before threads are
/// started.
static inline void cheif_load_decoder(void) {
#if LIBHEIF_NUMERIC_VERSION >= 0x01110000 // 1.17
    const char *const *folders = heif_get_plugin_directories();
    // No folder, in place of the usual ones.
    setenv("LIBHEIF_PLUGIN_PATH", "/dev/null", 1);
    heif_init(NULL);
    const struct heif_plugin_info *plugin = NULL;
    for (size_t i = 0; folders != NULL && folders[i] != NULL && plugin == NULL; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/libheif-libde265.so", folders[i]);
        // One that is missing is seen by the first picture: it is refused.
        if (length < (int)sizeof path) heif_load_plugin(path, &plugin);
    }
    if (folders != NULL) heif_free_plugin_directories(folders);
#else
    heif_init(NULL);
#endif
}
