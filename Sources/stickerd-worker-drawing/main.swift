import StickerConfinement

// Texts of marks, whose libraries need threads and fonts.

ConfinedProcess.run(hasThreads: true, readsFonts: true) { surroundings in
    TextWork(fontFolder: surroundings.fontFolder ?? "").run()
}
