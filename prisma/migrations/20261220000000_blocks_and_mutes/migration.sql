-- People who do not want to meet: blocks hide both from each other, mutes hide others from oneself.

CREATE TABLE "block" (
  "blocker_id" bigint         NOT NULL,
  "blocked_id" bigint         NOT NULL,
  -- Ascends with time: blocks are listed newest first.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "block_pkey" PRIMARY KEY ("blocker_id", "blocked_id"),
  CONSTRAINT "block_blocker_id_fkey" FOREIGN KEY ("blocker_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "block_blocked_id_fkey" FOREIGN KEY ("blocked_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "block_self_check" CHECK ("blocker_id" <> "blocked_id")
);

-- GET /blocks.
CREATE INDEX "block_blocker_id_id_blocked_id_idx" ON "block" ("blocker_id", "id" DESC, "blocked_id");
-- Who blocks the reader of a list; the blocks of an account that is erased.
CREATE INDEX "block_blocked_id_blocker_id_idx" ON "block" ("blocked_id", "blocker_id");

CREATE TABLE "mute" (
  "muter_id"   bigint         NOT NULL,
  "muted_id"   bigint         NOT NULL,
  -- Ascends with time: mutes are listed newest first.
  "id"         bigint         NOT NULL DEFAULT next_id(),
  "created_at" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Null: until the person removes it.
  "ends_at"    timestamptz(3),

  CONSTRAINT "mute_pkey" PRIMARY KEY ("muter_id", "muted_id"),
  CONSTRAINT "mute_muter_id_fkey" FOREIGN KEY ("muter_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "mute_muted_id_fkey" FOREIGN KEY ("muted_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "mute_self_check" CHECK ("muter_id" <> "muted_id")
);

-- GET /mutes.
CREATE INDEX "mute_muter_id_id_muted_id_idx" ON "mute" ("muter_id", "id" DESC, "muted_id");
-- The mutes of an account that is erased.
CREATE INDEX "mute_muted_id_idx" ON "mute" ("muted_id");
-- The sweep of mutes that have ended.
CREATE INDEX "mute_ends_at_idx" ON "mute" ("ends_at") WHERE "ends_at" IS NOT NULL;

-- Raised with each block by or of the account. 0: it never was part of one, so that no index is read to find one.
ALTER TABLE "account" ADD COLUMN "block_epoch" integer NOT NULL DEFAULT 0;

-- Whether one of two accounts blocks the other. VOLATILE: it also sees a block that was committed while the calling
-- statement waited for a lock, which the snapshot of that statement does not show.
CREATE FUNCTION "is_blocked"("one" bigint, "other" bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      RETURN EXISTS (SELECT 1 FROM block WHERE (blocker_id = one AND blocked_id = other) OR (blocker_id = other AND blocked_id = one));
    END
  $$;
