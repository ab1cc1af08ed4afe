"""The search that Pillow's and libvips' best settings share: without loss if that fits, otherwise at the highest
quality that does."""
BYTES_MAX = 100_000


def sticker(lossless, lossy):
    """The file to publish; `lossless()` and `lossy(quality)` make one."""
    found = lossless()
    if len(found) <= BYTES_MAX:
        return found
    # Every sticker of quality `low` fits, or there is none.
    low, high = 0, 101
    while high - low > 1:
        quality = 100 if high == 101 and low == 0 else (low + high) // 2
        made = lossy(quality)
        if len(made) <= BYTES_MAX:
            low, found = quality, made
        else:
            high = quality
    return found
