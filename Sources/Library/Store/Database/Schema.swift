import FoundationEssentials
import GRDB
import StickerValues

/// The tables. Waiting times are in milliseconds of CLOCK_BOOTTIME, all others in milliseconds since 1970.
enum Schema {
    static var migrator: DatabaseMigrator { migrator(adopting: EarlierRecipes()) }

    /// Whether an earlier release made the tables, or their migration was interrupted.
    static func isEarlier(_ database: Database) throws -> Bool {
        try !migrator.appliedIdentifiers(database).isEmpty
            && !migrator.hasCompletedMigrations(database)
    }

    /// The migrations; those that meet pictures of release 0.4 give them the names in `recipes`.
    static func migrator(adopting recipes: EarlierRecipes) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.register("1") { database in
            for part in [library, sources, jobs, counting] { try database.execute(sql: part) }
        }
        migrator.register("2") { try $0.execute(sql: steering) }
        migrator.register("3") { try $0.execute(sql: renames) }
        migrator.register("4") { database in
            for part in [blame, lookups] { try database.execute(sql: part) }
            try cleanTitles(database)
        }
        migrator.register("5") { database in
            try database.execute(sql: renewal)
            try recipes.adopt(database)
        }
        migrator.register("6") { try $0.execute(sql: fileSizes) }
        migrator.register("7") { try $0.execute(sql: inks) }
        // Migration 5 does its work now.
        migrator.register("8") { _ in }
        migrator.register("9") { try $0.execute(sql: categoryFolders) }
        migrator.register("10") { try $0.execute(sql: leaving) }
        migrator.register("11") { database in
            try database.execute(sql: removals)
            try listTombstones(database)
        }
        migrator.register("12") { try $0.execute(sql: holds) }
        migrator.register("13") { try $0.execute(sql: words) }
        migrator.register("14") { try $0.execute(sql: concessions) }
        migrator.register("15") { try $0.execute(sql: packs) }
        migrator.register("16") { try $0.execute(sql: readiness) }
        migrator.register("17") { try $0.execute(sql: packCare) }
        migrator.register("18") { try $0.execute(sql: moments) }
        migrator.register("19") { try $0.execute(sql: faults) }
        migrator.register("20") { try $0.execute(sql: successions) }
        migrator.register("21") { try $0.execute(sql: holding) }
        migrator.register("22") { try $0.execute(sql: turns) }
        migrator.register("23") { try $0.execute(sql: rests) }
        migrator.register("24") { try $0.execute(sql: plans) }
        migrator.register("25") { try $0.execute(sql: people) }
        migrator.register("26") { try $0.execute(sql: reasons) }
        migrator.register("27") { try $0.execute(sql: looks) }
        return migrator
    }

    /// Work of people. approval: pictures that an editor lets a category publish. change: what people changed, with the
    /// file below its drop and the sticker as far as known; person is `NULL` where nobody has a name.
    private static let people = """
        CREATE TABLE approval (
            content TEXT NOT NULL,
            category TEXT NOT NULL,
            person TEXT,
            at INTEGER NOT NULL,
            PRIMARY KEY (content, category)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE change (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            person TEXT,
            category TEXT,
            sticker TEXT,
            file TEXT,
            sentence TEXT NOT NULL
        ) STRICT;
        CREATE INDEX change_category ON change(category);
        CREATE INDEX change_sticker ON change(sticker) WHERE sticker IS NOT NULL;
        CREATE INDEX change_file ON change(file) WHERE file IS NOT NULL;
        CREATE INDEX change_age ON change(at);
        """

    /// Few ended jobs of a reason or a category are not sought among all jobs.
    private static let reasons = """
        CREATE INDEX source_category ON source(category);
        CREATE INDEX job_reason ON job(reason) WHERE reason IS NOT NULL;
        """

    /// Looks of categories. is_restyled: whether the look changed since the daemon last asked; every start compares all stickers.
    private static let looks = """
        ALTER TABLE category ADD COLUMN look TEXT;
        ALTER TABLE category ADD COLUMN is_restyled INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX category_restyled ON category(is_restyled) WHERE is_restyled = 1;
        """

    /// Indices for thousands of files of equal bytes. No condition of an index compares `directory` with a value: SQLite
    /// would plan a statement that compares it with a parameter for each value of that.
    private static let plans = """
        DROP INDEX source_top;
        CREATE INDEX source_top ON source(id) WHERE length(directory) = 0;
        DROP INDEX source_present;
        CREATE INDEX source_present ON source(content, name)
            WHERE present = 1 AND output IS NOT NULL;
        """

    /// Templates whose drawing costs more than the clock may spend. drawing_ms: the CPU time of the last drawing.
    /// rests_until: the clock does not draw the template before.
    private static let rests = """
        ALTER TABLE source ADD COLUMN drawing_ms INTEGER;
        ALTER TABLE source ADD COLUMN rests_until INTEGER;
        CREATE INDEX source_slow ON source(drawing_ms) WHERE drawing_ms IS NOT NULL;
        """

    /// Turns. owner: the number of the user who owns the file, -1 if unknown. A job has the owner and category of its
    /// source, so that one index finds the next job of each. Also two more priorities: `JobPriority.last` was 3.
    private static let turns = """
        ALTER TABLE source ADD COLUMN owner INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE job ADD COLUMN owner INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE job ADD COLUMN category TEXT NOT NULL DEFAULT '';
        UPDATE job SET category = (SELECT category FROM source WHERE id = job.source)
            WHERE finished_at IS NULL;
        UPDATE job SET priority = 5 WHERE priority = 3;
        UPDATE job SET priority = 4 WHERE priority = 2 AND worker_failures > 0;
        CREATE INDEX job_turn ON job(priority, owner, category) WHERE state = 'available';
        CREATE INDEX job_due_turn ON job(priority, owner, category, due) WHERE due IS NOT NULL;
        CREATE TRIGGER source_moved AFTER UPDATE OF category, owner ON source
            WHEN OLD.category <> NEW.category OR OLD.owner <> NEW.owner BEGIN
            UPDATE job SET category = NEW.category, owner = NEW.owner WHERE source = NEW.id;
        END;
        """

    /// Files without a picture's name, by their marks, with the number of daemon crashes while their bytes were
    /// examined. Also dismissed refusals.
    private static let holding = """
        CREATE TABLE crashed_file (
            mark INTEGER NOT NULL PRIMARY KEY,
            crashes INTEGER NOT NULL
        ) STRICT;
        UPDATE job SET superseded_by = (SELECT max(newer.id) FROM job AS newer
            WHERE newer.source = job.source AND newer.id > job.id)
            WHERE state = 'cancelled' AND reason = 'dismissed' AND superseded_by IS NULL;
        CREATE INDEX source_formerly ON source(id) WHERE former_names IS NOT NULL;
        CREATE INDEX job_dismissed ON job(reason)
            WHERE state = 'cancelled' AND reason = 'dismissed' AND superseded_by IS NULL;
        """

    /// Pictures that replace one of another format. appeared_at: when a file got its name, in milliseconds since 1970.
    /// former_names: the file's names in other formats, separated by slashes. heir: the file that will continue a
    /// missing one. successor: the sticker that replaced a removed one.
    private static let successions = """
        ALTER TABLE source ADD COLUMN appeared_at INTEGER;
        ALTER TABLE source ADD COLUMN former_names BLOB;
        ALTER TABLE source ADD COLUMN heir INTEGER;
        CREATE INDEX source_heir ON source(missing_since) WHERE heir IS NOT NULL;
        ALTER TABLE removal ADD COLUMN successor TEXT;
        """

    /// The fixed faults that may concern an output, judging by the headers of its picture: names separated by blanks,
    /// `NULL` if not examined yet; and whether one of them makes it show its picture wrong.
    private static let faults = """
        ALTER TABLE output ADD COLUMN faults TEXT;
        ALTER TABLE output ADD COLUMN is_wrong INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX output_unseen ON output(id) WHERE faults IS NULL;
        """

    /// When a template may show something else, in milliseconds since 1970. Also the content drawn for a removed
    /// sticker: a template's differs from its file.
    private static let moments = """
        ALTER TABLE source ADD COLUMN renew_at INTEGER;
        CREATE INDEX source_renewal ON source(renew_at) WHERE renew_at IS NOT NULL;
        CREATE INDEX source_present ON source(content) WHERE present = 1 AND output IS NOT NULL;
        ALTER TABLE removal ADD COLUMN drawing TEXT;
        """

    private static let library = """
        CREATE TABLE category (
            id TEXT NOT NULL PRIMARY KEY,
            folder BLOB NOT NULL UNIQUE,
            title TEXT NOT NULL,
            generation INTEGER NOT NULL DEFAULT 0,
            published_generation INTEGER NOT NULL DEFAULT 0,
            published_stickers INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX category_dirty ON category(id) WHERE generation > published_generation;

        -- A sticker with an entry is live; one with deleted_at is a tombstone that keeps its id taken.
        CREATE TABLE sticker (
            id TEXT NOT NULL PRIMARY KEY,
            category TEXT NOT NULL REFERENCES category(id),
            sort_key BLOB NOT NULL,
            entry BLOB,
            created_at INTEGER NOT NULL,
            deleted_at INTEGER,
            CHECK (entry IS NULL OR deleted_at IS NULL)
        ) STRICT;
        CREATE INDEX sticker_order ON sticker(category, sort_key, id) WHERE entry IS NOT NULL;

        -- The highest number given to each base of an id, so that a clash costs one look.
        CREATE TABLE id_number (
            kind TEXT NOT NULL,
            base TEXT NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (kind, base)
        ) STRICT, WITHOUT ROWID;

        -- Finished files of one content under one recipe, shared by every source that has it.
        CREATE TABLE output (
            id INTEGER PRIMARY KEY,
            content TEXT NOT NULL,
            recipe TEXT NOT NULL,
            product TEXT NOT NULL,
            keep_until INTEGER,
            UNIQUE (content, recipe)
        ) STRICT;
        CREATE INDEX output_released ON output(keep_until) WHERE keep_until IS NOT NULL;
        CREATE TABLE output_file (
            output INTEGER NOT NULL REFERENCES output(id) ON DELETE CASCADE,
            path TEXT NOT NULL,
            PRIMARY KEY (output, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX output_file_path ON output_file(path);

        -- Manifest pages behind the first, which are named by content.
        CREATE TABLE page (
            category TEXT NOT NULL REFERENCES category(id),
            name TEXT NOT NULL,
            released_at INTEGER,
            PRIMARY KEY (category, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE note (
            key TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let sources = """
        -- applied: what is published belongs to this state of the file.
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            drop_path TEXT NOT NULL,
            directory BLOB NOT NULL,
            name BLOB NOT NULL,
            kind TEXT NOT NULL,
            category TEXT NOT NULL REFERENCES category(id),
            sticker TEXT REFERENCES sticker(id),
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            mtime INTEGER NOT NULL,
            ctime INTEGER NOT NULL,
            present INTEGER NOT NULL DEFAULT 1,
            missing_since INTEGER,
            applied INTEGER NOT NULL DEFAULT 0,
            content TEXT,
            output INTEGER REFERENCES output(id),
            UNIQUE (drop_path, directory, name),
            CHECK (present = 0 OR missing_since IS NULL)
        ) STRICT;
        CREATE INDEX source_missing ON source(missing_since) WHERE missing_since IS NOT NULL;
        CREATE INDEX source_missing_inode ON source(inode) WHERE missing_since IS NOT NULL;
        CREATE INDEX source_output ON source(output) WHERE output IS NOT NULL;
        CREATE INDEX source_sticker ON source(sticker) WHERE sticker IS NOT NULL;
        CREATE INDEX source_cover ON source(category, name)
            WHERE kind = 'cover' AND output IS NOT NULL;
        """

    private static let jobs = """
        CREATE TABLE job (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source INTEGER NOT NULL REFERENCES source(id),
            state TEXT NOT NULL,
            priority INTEGER NOT NULL,
            attempt INTEGER NOT NULL DEFAULT 0,
            deaths INTEGER NOT NULL DEFAULT 0,
            due INTEGER,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            mtime INTEGER NOT NULL,
            ctime INTEGER NOT NULL,
            origin TEXT NOT NULL,
            seen INTEGER NOT NULL,
            waiting_since INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            started_at INTEGER,
            finished_at INTEGER,
            reason TEXT,
            refusal TEXT,
            warnings TEXT,
            log TEXT,
            content TEXT,
            recipe TEXT,
            superseded_by INTEGER,
            CHECK ((due IS NOT NULL) = (state IN ('scheduled', 'retryable'))),
            CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'cancelled', 'discarded')))
        ) STRICT;
        CREATE INDEX job_source ON job(source);
        CREATE INDEX job_available ON job(priority) WHERE state = 'available';
        CREATE INDEX job_due ON job(priority, due) WHERE due IS NOT NULL;
        CREATE INDEX job_executing ON job(source) WHERE state = 'executing';
        CREATE INDEX job_attention ON job(reason)
            WHERE state = 'discarded' AND superseded_by IS NULL;
        CREATE INDEX job_finished ON job(finished_at) WHERE finished_at IS NOT NULL;
        """

    private static let counting = """
        CREATE TABLE tally (
            state TEXT NOT NULL PRIMARY KEY,
            jobs INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
            INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1;
        END;
        CREATE TRIGGER job_moved AFTER UPDATE OF state ON job WHEN OLD.state <> NEW.state BEGIN
            UPDATE tally SET jobs = jobs - 1 WHERE state = OLD.state;
            INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1;
        END;
        CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
            UPDATE tally SET jobs = jobs - 1 WHERE state = OLD.state;
        END;
        """

    /// Finds a renamed file, whether the loss of the old name was recorded or not.
    private static let renames = """
        DROP INDEX source_missing_inode;
        CREATE INDEX source_live_inode ON source(inode) WHERE output IS NOT NULL;
        """

    /// Jobs that failed in a worker, and lanes for large jobs: `JobPriority.last` was 2 before.
    private static let blame = """
        ALTER TABLE job ADD COLUMN worker_failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE job ADD COLUMN blamed_content TEXT;
        UPDATE job SET priority = 3 WHERE priority = 2;
        """

    /// Indices without which a statement visits every row of a growing table, and the number of live stickers, kept
    /// like the numbers of jobs.
    private static let lookups = """
        CREATE INDEX job_made ON job(content, recipe) WHERE state = 'completed';
        CREATE INDEX source_left ON source(id) WHERE present = 0 AND missing_since IS NULL;
        CREATE INDEX source_top ON source(id) WHERE directory = x'';
        CREATE INDEX page_released ON page(released_at) WHERE released_at IS NOT NULL;
        CREATE INDEX category_published ON category(id) WHERE published_stickers > 0;
        CREATE INDEX category_written ON category(id) WHERE published_generation > 0;
        CREATE INDEX category_paused ON category(id) WHERE paused = 1;

        INSERT INTO tally SELECT 'live', count(*) FROM sticker WHERE entry IS NOT NULL;
        CREATE TRIGGER sticker_added AFTER INSERT ON sticker WHEN NEW.entry IS NOT NULL BEGIN
            UPDATE tally SET jobs = jobs + 1 WHERE state = 'live';
        END;
        CREATE TRIGGER sticker_moved AFTER UPDATE OF entry ON sticker
            WHEN (OLD.entry IS NULL) <> (NEW.entry IS NULL) BEGIN
            UPDATE tally SET jobs = jobs + iif(NEW.entry IS NULL, -1, 1) WHERE state = 'live';
        END;
        """

    /// Facts about outputs and jobs that are needed without reading their texts; of jobs, only about the latest. Also
    /// files of an output that was made again.
    private static let renewal = """
        ALTER TABLE output ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE output ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE output ADD COLUMN is_rebuilt INTEGER NOT NULL DEFAULT 0;
        UPDATE output SET is_lost = 1 WHERE recipe GLOB 'lost-*';
        UPDATE output SET is_rebuilt = 1 WHERE recipe = 'rebuilt';
        CREATE INDEX output_revision ON output(revision) WHERE keep_until IS NULL;

        ALTER TABLE output_file ADD COLUMN keep_until INTEGER;
        CREATE INDEX output_file_kept ON output_file(keep_until) WHERE keep_until IS NOT NULL;

        -- spent: milliseconds of a job that searched for an encoding. renews: nothing that exists will do.
        ALTER TABLE job ADD COLUMN spent REAL;
        ALTER TABLE job ADD COLUMN renews INTEGER NOT NULL DEFAULT 0;
        UPDATE job SET spent = (
            SELECT sum(json_extract(step.value, '$.milliseconds'))
            FROM json_each(job.log, '$.entries') AS step
            HAVING max(json_extract(step.value, '$.step') = 'fit'))
        WHERE state = 'completed' AND log IS NOT NULL
            AND id > (SELECT max(id) - 1000 FROM job);
        CREATE INDEX job_spent ON job(id) WHERE spent IS NOT NULL;
        """

    /// The size of every file; `NULL` where only the product has it so far.
    private static let fileSizes = "ALTER TABLE output_file ADD COLUMN bytes INTEGER;"

    /// Whether the picture is in CMYK: only such pictures follow `color.cmykProfile`. Unknown for earlier outputs until
    /// the file is read again.
    private static let inks = "ALTER TABLE output ADD COLUMN is_cmyk INTEGER;"

    /// The category of each folder, whatever the folder's name. The name is empty for the files of a drop itself. The
    /// category is `NULL` until the folder holds a file. `category.folder` is a category's first folder name.
    private static let categoryFolders = """
        CREATE TABLE category_folder (
            drop_path TEXT NOT NULL,
            name BLOB NOT NULL,
            category TEXT REFERENCES category(id),
            inode INTEGER,
            PRIMARY KEY (drop_path, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX category_folder_name ON category_folder(name) WHERE category IS NOT NULL;
        CREATE INDEX category_folder_category ON category_folder(category);
        CREATE INDEX category_folder_inode ON category_folder(inode) WHERE category IS NOT NULL;

        INSERT OR IGNORE INTO category_folder (drop_path, name, category)
        SELECT drop_path, iif(instr(directory, x'2f') = 0, directory,
            substr(directory, 1, instr(directory, x'2f') - 1)), category
        FROM source;
        """

    /// Stickers that moved to another category. The old category shows them until the manifest of the new one has
    /// reached the generation of the move.
    private static let leaving = """
        CREATE TABLE leaving (
            sticker TEXT NOT NULL PRIMARY KEY REFERENCES sticker(id),
            category TEXT NOT NULL REFERENCES category(id),
            generation INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX leaving_category ON leaving(category);
        """

    /// The public facts about stickers: when they were published and changed, and which were removed. A removed sticker
    /// that returned stays listed until a manifest shows it.
    private static let removals = """
        ALTER TABLE sticker ADD COLUMN published_at INTEGER;
        ALTER TABLE sticker ADD COLUMN changed_at INTEGER;
        CREATE TABLE removal (
            sticker TEXT NOT NULL PRIMARY KEY REFERENCES sticker(id),
            category TEXT NOT NULL,
            title TEXT NOT NULL,
            content TEXT,
            output INTEGER,
            file TEXT,
            name BLOB,
            removed_at INTEGER NOT NULL,
            is_back INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removal_order ON removal(removed_at, sticker);
        CREATE INDEX removal_back ON removal(sticker) WHERE is_back = 1;
        CREATE INDEX removal_content ON removal(content) WHERE content IS NOT NULL;
        """

    /// Deletions that await confirmation, of a category or of a drop. vanished_at is in boot time; files that one scan
    /// missed vanished together.
    private static let holds = """
        CREATE TABLE hold (
            id INTEGER PRIMARY KEY,
            category TEXT REFERENCES category(id),
            drop_path TEXT,
            stickers INTEGER NOT NULL,
            held_at INTEGER NOT NULL,
            is_emptied INTEGER NOT NULL,
            is_confirmed INTEGER NOT NULL DEFAULT 0,
            CHECK ((category IS NULL) <> (drop_path IS NULL))
        ) STRICT;

        ALTER TABLE source ADD COLUMN vanished_at INTEGER;
        ALTER TABLE source ADD COLUMN held INTEGER REFERENCES hold(id);
        UPDATE source SET vanished_at = missing_since WHERE missing_since IS NOT NULL;
        CREATE INDEX source_held ON source(held) WHERE held IS NOT NULL;
        CREATE INDEX source_waning ON source(missing_since)
            WHERE missing_since IS NOT NULL AND held IS NULL;
        CREATE INDEX source_absent ON source(content) WHERE present = 0 AND output IS NOT NULL;
        """

    /// The contents of side files in their last good state, by the path of a picture below the category's folder; `/`
    /// is for the defaults of stickers, and the empty path for the category itself or for the only picture that a file
    /// is about. kept_words: the words of a picture under its earlier names. is_stale: the words changed, so the entry
    /// is encoded again before the manifest is written. Sort keys begin with whether the category lists the sticker in
    /// its order.
    /// lists the sticker in its order.
    private static let words = """
        CREATE TABLE words (
            source INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            words TEXT NOT NULL,
            PRIMARY KEY (source, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX source_words ON source(category) WHERE kind = 'categoryWords';

        ALTER TABLE sticker ADD COLUMN kept_words TEXT;
        ALTER TABLE sticker ADD COLUMN is_stale INTEGER NOT NULL DEFAULT 0;
        -- All that changes in rows of stickers, at once: with their entries they are half of the database.
        UPDATE sticker SET sort_key = CAST(x'01' || sort_key AS BLOB), is_stale = entry IS NOT NULL,
            published_at = iif(entry IS NULL AND deleted_at IS NULL, NULL, created_at),
            changed_at = iif(entry IS NULL AND deleted_at IS NULL, NULL, coalesce((
                SELECT max(job.finished_at) FROM source JOIN job ON job.source = source.id
                WHERE source.sticker = sticker.id AND job.state = 'completed'
                    AND job.recipe IS NOT NULL), created_at));
        CREATE INDEX sticker_stale ON sticker(category) WHERE is_stale = 1;

        ALTER TABLE category ADD COLUMN folder_title TEXT NOT NULL DEFAULT '';
        ALTER TABLE category ADD COLUMN words TEXT;
        UPDATE category SET folder_title = title;
        """

    /// Concessions that operators granted to single stickers.
    private static let concessions = """
        ALTER TABLE sticker ADD COLUMN concessions TEXT;
        CREATE INDEX sticker_conceded ON sticker(id) WHERE concessions IS NOT NULL;
        """

    /// Packs as last handed over, including those that are gone: their numbers are never given again.
    private static let packs = """
        CREATE TABLE pack (
            platform TEXT NOT NULL,
            category TEXT NOT NULL REFERENCES category(id),
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (platform, category, kind, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// The readiness of categories as packs, with the state of category and settings that was judged.
    private static let readiness = """
        -- No release wrote what was there.
        DELETE FROM pack;
        -- The pictures of packs that are handed over: they outlive stickers that were removed.
        CREATE TABLE pack_picture (
            path TEXT NOT NULL,
            platform TEXT NOT NULL,
            category TEXT NOT NULL,
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (path, platform, category, kind, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pack_picture_part ON pack_picture(platform, category, kind, number);
        CREATE TABLE readiness (
            category TEXT NOT NULL PRIMARY KEY REFERENCES category(id),
            generation INTEGER NOT NULL,
            mark TEXT NOT NULL,
            content TEXT
        ) STRICT, WITHOUT ROWID;
        """

    /// When the packs of a category were last requested, and its first finding by platform.
    private static let packCare = """
        ALTER TABLE pack ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
        UPDATE pack SET asked_at = unixepoch() * 1000;
        ALTER TABLE readiness ADD COLUMN lacks TEXT;
        CREATE INDEX readiness_lacks ON readiness(category) WHERE lacks IS NOT NULL;
        """

    /// Lists earlier removals, by the file names as far as they are known.
    private static func listTombstones(_ database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT sticker.id, sticker.category, sticker.deleted_at, (
                    SELECT name FROM source WHERE source.sticker = sticker.id LIMIT 1)
                FROM sticker WHERE deleted_at IS NOT NULL
                """)
        for row in rows {
            let (id, name): (String, Data?) = (row[0], row[3])
            let title = name.map { StickerName(fileName: [UInt8]($0)).title } ?? id
            try database.execute(
                sql: """
                    INSERT INTO removal (sticker, category, title, name, removed_at)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [id, row[1] as String, title, name, row[2] as Int64])
        }
    }

    /// Cleans titles of categories as titles of stickers always were; ids stay.
    private static func cleanTitles(_ database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, title FROM category") {
            let title: String = row[1]
            guard FileName.title(title) != title else { continue }
            try database.execute(
                sql: "UPDATE category SET title = ?, generation = generation + 1 WHERE id = ?",
                arguments: [FileName.title(title), row[0] as String])
        }
    }

    /// Paused categories; also the category of unused outputs, and why they are kept.
    private static let steering = """
        ALTER TABLE category ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE output ADD COLUMN released_from TEXT;
        ALTER TABLE output ADD COLUMN is_trash INTEGER NOT NULL DEFAULT 0;
        """
}

extension DatabaseMigrator {
    /// Registers a migration. None rebuilds a table, so each row is checked when written: a check of the whole database
    /// after every migration would take most of the time of an upgrade.
    fileprivate mutating func register(
        _ identifier: String, _ change: @escaping @Sendable (Database) throws -> Void
    ) {
        registerMigration(identifier, foreignKeyChecks: .immediate, migrate: change)
    }
}
