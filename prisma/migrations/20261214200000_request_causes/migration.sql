-- Why requests failed: one cause per request, the facts that explain it, and the id that the response carried. Rows
-- without them were stored by an earlier version. Failed requests to the API are stored too.

ALTER TYPE "request_failure_kind" ADD VALUE 'api' AFTER 'request';

ALTER TABLE "request_log"
  ADD COLUMN "cause"      varchar(40),
  -- Times, names of scopes, parameters and settings; never a value that was sent.
  ADD COLUMN "details"    jsonb,
  ADD COLUMN "request_id" uuid,
  -- Of the response; of requests to the API.
  ADD COLUMN "status"     smallint;
