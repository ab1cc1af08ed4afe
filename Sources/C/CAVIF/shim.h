#pragma once
#include <avif/avif.h>

/// How `imir` mirrors: 0 exchanges top and bottom, 1 left and right. libavif 1.0 renamed the field.
static inline int cavif_mirror_axis(avifImageMirror mirror) {
#if AVIF_VERSION_MAJOR >= 1
    return mirror.axis;
#else
    return mirror.mode;
#endif
}
