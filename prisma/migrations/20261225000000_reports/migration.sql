-- Reports of accounts, posts and comments. The open reports of one subject are one case, which operators resolve.

CREATE TYPE "report_subject" AS ENUM ('account', 'post', 'comment');
CREATE TYPE "report_reason" AS ENUM ('spam', 'harassment', 'hate', 'violence', 'sexual', 'impersonation', 'self_harm', 'illegal', 'other');
CREATE TYPE "report_outcome" AS ENUM ('dismissed', 'deleted', 'suspended');

CREATE TABLE "report_case" (
  "id"            bigint           NOT NULL DEFAULT next_id(),
  "subject_type"  "report_subject" NOT NULL,
  -- No foreign key: the case outlives a deleted post or comment.
  "subject_id"    bigint           NOT NULL,
  -- Whose post or comment it is, or the reported account.
  "account_id"    bigint           NOT NULL,
  -- The post, or the one that the comment is on.
  "post_id"       bigint,
  "reports_count" integer          NOT NULL DEFAULT 1,
  "created_at"    timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "latest_at"     timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "resolved_at"   timestamptz(3),
  "outcome"       "report_outcome",

  CONSTRAINT "report_case_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "report_case_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "report_case_post_check" CHECK (("subject_type" = 'account') = ("post_id" IS NULL)),
  CONSTRAINT "report_case_count_check" CHECK ("reports_count" > 0),
  CONSTRAINT "report_case_resolved_check" CHECK (("resolved_at" IS NULL) = ("outcome" IS NULL))
);

-- Reports of one subject belong to one open case.
CREATE UNIQUE INDEX "report_case_open_key" ON "report_case" ("subject_type", "subject_id") WHERE "resolved_at" IS NULL;
-- /admin/reports: most reported first, and newest first.
CREATE INDEX "report_case_open_count_idx" ON "report_case" ("reports_count" DESC, "id" DESC) WHERE "resolved_at" IS NULL;
CREATE INDEX "report_case_open_id_idx" ON "report_case" ("id" DESC) WHERE "resolved_at" IS NULL;
-- The cases about an account that is erased.
CREATE INDEX "report_case_account_id_idx" ON "report_case" ("account_id");
-- The sweep of resolved cases.
CREATE INDEX "report_case_resolved_at_idx" ON "report_case" ("resolved_at") WHERE "resolved_at" IS NOT NULL;

CREATE TABLE "report" (
  "id"          bigint          NOT NULL DEFAULT next_id(),
  "case_id"     bigint          NOT NULL,
  -- Null: the account was erased.
  "reporter_id" bigint,
  "reason"      "report_reason" NOT NULL,
  -- What the reporter wrote; may be empty.
  "text"        text            NOT NULL DEFAULT '',
  -- What was reported, as it was then.
  "content"     text            NOT NULL,
  "created_at"  timestamptz(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "report_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "report_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "report_case" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "report_reporter_id_fkey" FOREIGN KEY ("reporter_id") REFERENCES "account" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "report_text_check" CHECK (char_length("text") <= 1000)
);

-- A person reports a subject once while its case is open; /admin/reports/{id}.
CREATE UNIQUE INDEX "report_case_id_reporter_id_key" ON "report" ("case_id", "reporter_id");
-- The reports of a day, the export, and the reports of an account that is erased.
CREATE INDEX "report_reporter_id_id_idx" ON "report" ("reporter_id", "id" DESC);
