-- 125 minutes: the longest lifetime of an access token, five minutes for what was being issued, and an hour by which the clock of
-- PostgreSQL may be wrong when the row is written or swept. With 65 minutes, a row written by a clock that was an hour
-- slow expired soon after the clock was right again, and a process that started then accepted the token.
CREATE OR REPLACE FUNCTION "revoke_tokens"("of_kind" "revocation_kind", "of_id" text, "lowest_epoch" integer) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO "revocation" ("kind", "id", "epoch", "changed_xid", "expires_at")
    VALUES (of_kind, of_id, lowest_epoch, pg_current_xact_id(), clock_timestamp() + interval '125 minutes')
    ON CONFLICT ("kind", "id") DO UPDATE
      SET "epoch" = EXCLUDED."epoch", "changed_xid" = EXCLUDED."changed_xid", "expires_at" = EXCLUDED."expires_at"
  $$;
