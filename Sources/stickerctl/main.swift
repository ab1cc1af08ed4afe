print("stickerctl")
