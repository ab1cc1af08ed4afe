print("stickerd")
