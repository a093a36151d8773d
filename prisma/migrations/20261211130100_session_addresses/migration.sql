-- The job that shortens addresses. Sessions live for 14 days at most, so the table is small: the index of a million rows takes about
-- half a second, and requests that write wait longer than that.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "session_full_address_idx" ON "session" ("created_at") WHERE "address" <> '' AND position('/' IN "address") = 0;
