-- What others did that concerns an account. Each row has a cause (a post, comment, like, repost, follow, follow request or draft):
-- triggers write it in the transaction of the cause, and delete it with the cause.
CREATE TYPE "notification_kind" AS ENUM ('mention', 'reply', 'quote', 'like', 'repost', 'follow', 'follow_request', 'approved', 'proposal', 'draft_failed');

CREATE TABLE "notification" (
  -- Who is notified. Without foreign keys, as in mention_ids: they would lock the rows of popular accounts and posts.
  "account_id" bigint              NOT NULL,
  "kind"       "notification_kind" NOT NULL,
  -- Of the cause. Ids of all causes come from one ascending sequence.
  "id"         bigint              NOT NULL,
  -- Who did it; the account itself, if an application or the service did it for the account.
  "actor_id"   bigint              NOT NULL,
  -- Who decides who may see what it is about: the author of the post; the account itself, if it is about no post.
  "owner_id"   bigint              NOT NULL,
  "post_id"    bigint,
  "comment_id" bigint,
  "draft_id"   bigint,

  -- GET /notifications: the latest of each kind. Without the other columns, so that likes pay for two small index entries only.
  CONSTRAINT "notification_pkey" PRIMARY KEY ("account_id", "kind", "id"),
  CONSTRAINT "notification_self_check" CHECK (("actor_id" = "account_id") = ("kind" IN ('proposal', 'draft_failed'))),
  CONSTRAINT "notification_draft_check" CHECK (("draft_id" IS NOT NULL) = ("kind" IN ('proposal', 'draft_failed'))),
  CONSTRAINT "notification_post_check" CHECK (("post_id" IS NOT NULL) = ("kind" IN ('mention', 'reply', 'quote', 'like', 'repost'))),
  CONSTRAINT "notification_comment_check" CHECK (CASE
    WHEN "kind" = 'mention' THEN CASE WHEN "comment_id" IS NULL THEN "id" >= "post_id" ELSE "id" = "comment_id" END
    WHEN "kind" = 'reply' THEN COALESCE("id" = "comment_id", false) ELSE "comment_id" IS NULL END)
);
-- Most accounts have few notifications, a few have very many. A plan for any of them expects few, and then reads and sorts all. As if
-- there were five accounts, PostgreSQL expects many, and always reads the latest in the order of the index.
ALTER TABLE "notification" ALTER COLUMN "account_id" SET (n_distinct = 5);

-- The notifications of a cause, when it is deleted; the sweep of old ones.
CREATE INDEX "notification_id_idx" ON "notification" ("id");

CREATE TABLE "notification_setting" (
  "account_id" bigint                NOT NULL,
  -- All notifications up to this id have been read.
  "read_id"    bigint                NOT NULL DEFAULT 0,
  -- The kinds that the person does not want.
  "off"        "notification_kind"[] NOT NULL DEFAULT '{}',
  -- Whether the person also wants mail about proposals.
  "proposal_mail" boolean            NOT NULL DEFAULT false,

  CONSTRAINT "notification_setting_pkey" PRIMARY KEY ("account_id"),
  CONSTRAINT "notification_setting_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id")
    ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "notification_setting_read_id_check" CHECK ("read_id" BETWEEN 0 AND 9007199254740991)
);

-- Likes and reposts come many at a time, so one statement writes the notifications of all. The argument is the kind.
CREATE FUNCTION "notify_of_reactions"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id)
    SELECT author_id, TG_ARGV[0]::notification_kind, id, account_id, author_id, post_id FROM added WHERE account_id <> author_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_like_notifications" AFTER INSERT ON "post_like"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_reactions"('like');
CREATE TRIGGER "repost_notifications" AFTER INSERT ON "repost"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_reactions"('repost');

CREATE FUNCTION "notify_of_follows"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    -- Who approves a request knows of the follow: the other is notified.
    INSERT INTO notification (account_id, kind, id, actor_id, owner_id)
    SELECT CASE WHEN approved THEN follower_id ELSE followed_id END,
      CASE WHEN approved THEN 'approved' ELSE 'follow' END::notification_kind, id,
      CASE WHEN approved THEN followed_id ELSE follower_id END,
      CASE WHEN approved THEN follower_id ELSE followed_id END
    FROM added
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "follow_notifications" AFTER INSERT ON "follow"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_follows"();

CREATE FUNCTION "notify_of_follow_requests"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO notification (account_id, kind, id, actor_id, owner_id)
    SELECT followed_id, 'follow_request', id, follower_id, followed_id FROM added
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "follow_request_notifications" AFTER INSERT ON "follow_request"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_follow_requests"();

CREATE FUNCTION "notify_of_post"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id)
    SELECT r.account_id, CASE WHEN bool_or(r.quoted) THEN 'quote' ELSE 'mention' END::notification_kind, NEW.id, NEW.author_id, NEW.author_id, NEW.id
    FROM (
      SELECT unnest(NEW.mention_ids), false UNION ALL SELECT author_id, true FROM post WHERE id = NEW.quote_id
    ) r(account_id, quoted) WHERE r.account_id <> NEW.author_id GROUP BY r.account_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

-- Posts that neither mention nor quote anybody do not pay for it. A post notifies each account once: as a quote, even if it mentions it as well.
CREATE TRIGGER "post_notifications" AFTER INSERT ON "post"
  FOR EACH ROW WHEN (NEW."mention_ids" IS NOT NULL OR NEW."quote_id" IS NOT NULL) EXECUTE FUNCTION "notify_of_post"();

-- A comment notifies each account once: as a reply, if it replies to its post or comment, even if it mentions it as well.
CREATE FUNCTION "notify_of_comment"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id, comment_id)
    SELECT r.account_id, CASE WHEN bool_or(r.replied) THEN 'reply' ELSE 'mention' END::notification_kind, NEW.id, NEW.author_id,
      p.author_id, p.id, NEW.id
    FROM post p CROSS JOIN LATERAL (
      SELECT p.author_id, true
      UNION ALL SELECT above.author_id, true FROM comment above WHERE above.id = NEW.parent_id AND above.post_id = p.id
      UNION ALL SELECT unnest(NEW.mention_ids), false
    ) r(account_id, replied)
    WHERE p.id = NEW.post_id AND r.account_id <> NEW.author_id
    GROUP BY r.account_id, p.id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_notifications" AFTER INSERT ON "comment" FOR EACH ROW EXECUTE FUNCTION "notify_of_comment"();

-- An array, because the plan of this statement stays: PostgreSQL takes arrays for short, and uses the index however many there are.
CREATE FUNCTION "delete_notifications"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    DELETE FROM notification WHERE id = ANY (ARRAY(SELECT id FROM gone));
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_notifications_gone" AFTER DELETE ON "comment"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();
CREATE TRIGGER "post_like_notifications_gone" AFTER DELETE ON "post_like"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();
CREATE TRIGGER "repost_notifications_gone" AFTER DELETE ON "repost"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();
CREATE TRIGGER "follow_notifications_gone" AFTER DELETE ON "follow"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();
CREATE TRIGGER "follow_request_notifications_gone" AFTER DELETE ON "follow_request"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();
CREATE TRIGGER "post_version_notifications_gone" AFTER DELETE ON "post_version"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications"();

-- The notifications of mentions that edits added.
CREATE FUNCTION "delete_notifications_of_posts"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    DELETE FROM notification WHERE id = ANY (ARRAY(SELECT id FROM gone UNION ALL SELECT version_id FROM gone WHERE version_id IS NOT NULL));
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_notifications_gone" AFTER DELETE ON "post"
  REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "delete_notifications_of_posts"();

-- A message that is being sent, or was sent within the hour, stays: `attempts` shows its sender that there is more (`apps/auth/src/mail`).
CREATE FUNCTION "mail_proposal"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO mail (kind, account_id, recipient, detail)
    SELECT 'proposals', a.id, a.email, jsonb_build_object('from', NEW.id, 'latest', NEW.id)
    FROM notification_setting s JOIN account a ON a.id = s.account_id
    WHERE s.account_id = NEW.account_id AND s.proposal_mail AND a.email_verified_at IS NOT NULL
    ON CONFLICT (account_id) WHERE kind = 'proposals'
      DO UPDATE SET attempts = 0, detail = mail.detail || jsonb_build_object('latest', NEW.id);
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "draft_mail" AFTER INSERT ON "draft" FOR EACH ROW
  WHEN (NEW."status" = 'proposed') EXECUTE FUNCTION "mail_proposal"();
