import StickerValues
import Testing

struct ConflictCopyTests {
    private func copy(_ name: String) -> ConflictCopy? { ConflictCopy(Array(name.utf8)) }

    private func originals(_ name: String) -> [String] {
        (copy(name)?.originals ?? []).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        "wave.sync-conflict-20240131-120000-ABCDEFG.png", "wave.sync-conflict-20240131-120000.png",
        "wave~20240131-120000.png", "wave_conflict-20240131-120000.png",
        "wave (Anna's conflicted copy 2024-01-31).png", "wave (conflicted copy).png",
        "wave (Anna's conflicted copy).png", "wave (conflicted copy 2024-01-31 120000).png",
        "wave (Conflicted copy from John on 2026-02-10_16-06-44).png",
        "wave (Anna's conflicted copy 2024-01-31 (1)).png", "wave (Case Conflict).png",
        "wave (Case Conflict 1).png", "wave (Selective Sync Conflict).png",
        "wave (Unicode Encoding Conflict).png",
        "wave (In Konflikt stehende Kopie von Anna 2024-01-31).png",
        "wave (Annas in Konflikt stehende Kopie 2024-01-31).png",
        "wave (Copie en conflit de Anna 2024-01-31).png",
        "wave (Copia conflictiva de Anna 2024-01-31).png",
        "wave (Anna 上の問題のあるコピー 2024-01-31).png",
        "wave (copia in conflitto di Anna 2024-01-31).png",
        "wave (cópia em conflito de Anna 2024-01-31).png",
        "wave (Kopie in Konflikt 2024-01-31).png",
        "wave (Anna 的冲突副本 2024-01-31).png", "wave (Anna 的衝突複本 2024-01-31).png",
        "wave (Anna の競合コピー 2024-01-31).png", "wave(conflict on 2024-01-31).png",
        "wave (конфликтующая копия Anna 2024-01-31).png", "wave (충돌된 사본 2024-01-31).png",
        "wave [conflict 2024-01-31].png", "wave (copy conflict 2024-01-31).png",
        "wave (SFConflict anna@example.org 2024-01-31-12-00-00).png",
        "wave_DiskStation_Jan-31-1200-2024_Conflict.png",
        "wave_Host_Mar-05-120000-2024_CaseConflict.png", "wave-DESKTOP-ABC1234.png",
        "wave-LAPTOP-0A1B2C3D.png",
    ])
    func markOrDateIsCertain(name: String) {
        #expect(copy(name)?.isCertain == true)
        #expect(originals(name).first == "wave.png")
    }

    @Test(arguments: [
        "wave 2.png", "wave 12.png", "wave (1).png", "wave(1).png", "wave - Copy.png",
        "wave - Copy (2).png", "wave - Kopie.png", "wave copy.png", "wave copy 2.png",
        "Copy of wave.png", "Kopie von wave.png", "wave_conf(1).png", "wave conflict.png",
        "wave (conflict).png", "wave (my conflicted copy of life).png", "wave_Conflict.png",
        "wave (conflicted copy of Anna).png", "wave - 副本.png", "wave のコピー.png", "wave (コピー).png",
        "wave — копия.png", "wave (kopia).png", "wave - Kópia.png", "wave 拷貝.png", "wave 사본.png",
        "wave_Conflict_.png", "wave[Conflict].png", "wave.conflict-20240131.png",
        "wave（冲突）.png", "wave (conflit).png",
    ])
    func whatMayBeATitleIsNot(name: String) {
        #expect(copy(name)?.isCertain == false)
        #expect(originals(name).last == "wave.png")
    }

    @Test(arguments: [
        "wave.png", "conflict.png", "wave-DESKTOP.png", "conflicts.png",
        "wave-DESKTOP-abc1234.png", "wave-desktop-ABC1234.png", "wave-PHONE-ABC1234.png",
        "wave~1.png", "wave 2024-01-31.png", "wave-20240131-120000.png", "wave 1.png",
        "wave 2024.png", "copy.png",
        "2.png", "(1).png",
        "photocopy.png", "копия.png", "コピー.png",
    ])
    func otherNamesAreTheirOwn(name: String) {
        #expect(copy(name)?.isCertain != true)
        #expect(originals(name) == [])
    }

    @Test func originalMayHaveBracketsAndUnderscores() {
        #expect(originals("my_wave_conflict.png") == ["my_wave.png", "my.png"])
        #expect(
            originals("wave (1) (Anna (Mac)'s conflicted copy 2024-01-31).png")
                == ["wave (1) (Anna.png", "wave (1).png", "wave.png"])
        #expect(
            originals("my_wave_Disk_Station_Jan-31-1200-2024_Conflict.png")
                == ["my_wave_Disk.png", "my_wave.png", "my.png"])
        #expect(
            originals("clock.smart.sync-conflict-20240131-120000-ABCDEFG.svg")
                == ["clock.smart.svg"])
    }

    @Test func originalOfACopyOfACopyIsTheFirst() {
        #expect(
            originals("wave.sync-conflict-20240131-120000.sync-conflict-20240131-120001.png")
                == ["wave.png", "wave.sync-conflict-20240131-120000.png"])
    }

    @Test func originalsKeepBytesThatAreNoText() {
        let copy = ConflictCopy([0xFF] + Array(" (conflicted copy).png".utf8))
        #expect(copy?.originals == [[0xFF] + Array(".png".utf8)])
        #expect(copy?.isCertain == true)
    }
}
