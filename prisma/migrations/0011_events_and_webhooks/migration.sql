-- What people post and do, for webhooks and streams. Triggers write the outbox in the transaction of the cause. A job moves its rows
-- to "event", in order (docs/decisions/0017-ordered-events.md).
CREATE TYPE "event_kind" AS ENUM (
  'post.created', 'post.edited', 'post.deleted', 'comment.created', 'comment.deleted', 'mention.created', 'quote.created',
  'like.created', 'like.deleted', 'repost.created', 'repost.deleted', 'follow.created', 'follow.deleted',
  'follow_request.created', 'draft.proposed', 'draft.scheduled', 'draft.published', 'draft.rejected',
  'draft.failed',
  -- Of security event streams only; no rows of "event" have them.
  'session.revoked', 'credential.changed', 'stream.verified'
);

CREATE TABLE "outbox" (
  -- Ascends even within a millisecond, unlike next_id(): of two events about one object, the later has the higher id.
  "id"              bigserial      NOT NULL,
  "kind"            "event_kind"   NOT NULL,
  -- Ids without foreign keys: they would lock the rows of popular accounts and posts, and what is deleted has an event, too.
  -- Who did it: the author, or the follower.
  "actor_id"        bigint         NOT NULL,
  -- Whom it concerns: the author of the post, the mentioned or the followed account. Null for posts.
  "account_id"      bigint,
  "post_id"         bigint,
  "comment_id"      bigint,
  "draft_id"        bigint,
  "created_at"      timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Of comments: the author of the comment that it replies to.
  "replied_to_id"   bigint,
  -- Of what is deleted, and of edits: whose mention ends with it.
  "unmentioned_ids" bigint[],

  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
-- Rows stay for less than a second.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 1);

CREATE TABLE "event" (
  -- Assigned by one process at a time: no event with a lower position is committed later.
  "position"        bigserial      NOT NULL,
  "kind"            "event_kind"   NOT NULL,
  "actor_id"        bigint         NOT NULL,
  "account_id"      bigint,
  "post_id"         bigint,
  "comment_id"      bigint,
  "draft_id"        bigint,
  "created_at"      timestamptz(3) NOT NULL,
  "replied_to_id"   bigint,
  "unmentioned_ids" bigint[],

  CONSTRAINT "event_pkey" PRIMARY KEY ("position")
);

-- The sweep of old events.
CREATE INDEX "event_created_at_idx" ON "event" ("created_at");

-- Also the change of timelines. Posts of hidden accounts are in none.
CREATE FUNCTION "write_post_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO outbox (kind, actor_id, post_id) SELECT 'post.created', author_id, id FROM changed WHERE id > oldest_new_id();
      INSERT INTO timeline_change (kind, account_id, item_id) SELECT 'item', author_id, id FROM changed;
    ELSE
      INSERT INTO outbox (kind, actor_id, post_id, unmentioned_ids) SELECT 'post.deleted', author_id, id, CASE
        WHEN quote_id IS NULL THEN mention_ids ELSE mention_ids || ARRAY(SELECT p.author_id FROM post p WHERE p.id = changed.quote_id) END
      FROM changed;
      INSERT INTO timeline_change (kind, account_id, item_id)
      SELECT 'item', c.author_id, c.id FROM changed c JOIN account a ON a.id = c.author_id WHERE a.hidden_at IS NULL;
    END IF;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_event_created" AFTER INSERT ON "post" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_post_event"();
CREATE TRIGGER "post_event_deleted" AFTER DELETE ON "post" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_post_event"();

CREATE FUNCTION "write_quote_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id)
    SELECT 'quote.created', NEW.author_id, author_id, NEW.id FROM post WHERE id = NEW.quote_id AND NEW.id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_quote_event" AFTER INSERT ON "post" FOR EACH ROW WHEN (NEW."quote_id" IS NOT NULL) EXECUTE FUNCTION "write_quote_event"();

CREATE FUNCTION "write_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id, replied_to_id)
    SELECT 'comment.created', c.author_id, p.author_id, p.id, c.id, (SELECT author_id FROM comment WHERE id = c.parent_id)
    FROM changed c JOIN post p ON p.id = c.post_id WHERE c.id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_event_created" AFTER INSERT ON "comment" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_comment_event"();

CREATE FUNCTION "write_mention_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id)
    SELECT 'mention.created', author_id, account_id, post_id, comment_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "mention_event_created" AFTER INSERT ON "mention" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_mention_event"();

-- Likes and reposts; TG_ARGV[0] is the first part of the kind.
CREATE FUNCTION "write_reaction_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id)
    SELECT (TG_ARGV[0] || '.created')::event_kind, account_id, author_id, post_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_like_event_created" AFTER INSERT ON "post_like" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_reaction_event"('like');
CREATE TRIGGER "repost_event_created" AFTER INSERT ON "repost" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_reaction_event"('repost');

-- What is deleted with its post, or because its account is hidden, is no event of its own.
CREATE FUNCTION "write_deleted_comment_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id, comment_id, replied_to_id, unmentioned_ids)
    SELECT 'comment.deleted', c.author_id, p.author_id, p.id, c.id, (SELECT author_id FROM comment WHERE id = c.parent_id), c.mention_ids
    FROM changed c JOIN post p ON p.id = c.post_id JOIN account a ON a.id = c.author_id WHERE a.hidden_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_event_deleted" AFTER DELETE ON "comment" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_comment_event"();

CREATE FUNCTION "write_deleted_reaction_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id, post_id)
    SELECT (TG_ARGV[0] || '.deleted')::event_kind, c.account_id, p.author_id, p.id
    FROM changed c JOIN post p ON p.id = c.post_id JOIN account a ON a.id = c.account_id WHERE a.hidden_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "post_like_event_deleted" AFTER DELETE ON "post_like" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_reaction_event"('like');
CREATE TRIGGER "repost_event_deleted" AFTER DELETE ON "repost" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_reaction_event"('repost');

CREATE FUNCTION "write_follow_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id)
    SELECT (TG_ARGV[0] || '.created')::event_kind, follower_id, followed_id FROM changed WHERE id > oldest_new_id();
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "follow_event_created" AFTER INSERT ON "follow" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_follow_event"('follow');
CREATE TRIGGER "follow_request_event_created" AFTER INSERT ON "follow_request" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_follow_event"('follow_request');

CREATE FUNCTION "write_deleted_follow_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO outbox (kind, actor_id, account_id)
    SELECT 'follow.deleted', c.follower_id, c.followed_id
    FROM changed c JOIN account f ON f.id = c.follower_id JOIN account t ON t.id = c.followed_id
    WHERE f.hidden_at IS NULL AND t.hidden_at IS NULL;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "follow_event_deleted" AFTER DELETE ON "follow" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_deleted_follow_event"();

-- A proposal and what becomes of it: the kinds of events are named after its status. Also a draft that could not be published at its time.
-- While they wait, the account has a notification of both.
CREATE FUNCTION "write_draft_event"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  DECLARE
    said event_kind;
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      DELETE FROM notification WHERE account_id = OLD.account_id AND kind IN ('proposal', 'draft_failed') AND draft_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      said := CASE WHEN NEW.failure IS NOT NULL THEN 'draft.failed'
        WHEN NEW.client_id IS NOT NULL AND NEW.status <> 'draft' THEN 'draft.' || NEW.status END;
      INSERT INTO outbox (kind, actor_id, account_id, draft_id) SELECT said, NEW.account_id, NEW.account_id, NEW.id WHERE said IS NOT NULL;
      INSERT INTO notification (account_id, kind, id, actor_id, owner_id, draft_id)
      SELECT NEW.account_id, kind, CASE kind WHEN 'proposal' THEN NEW.id ELSE next_id(NEW.account_id) END, NEW.account_id, NEW.account_id, NEW.id
      FROM (SELECT (CASE said WHEN 'draft.proposed' THEN 'proposal' WHEN 'draft.failed' THEN 'draft_failed' END)::notification_kind) new(kind)
      WHERE kind IS NOT NULL ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "draft_event_proposed" AFTER INSERT ON "draft" FOR EACH ROW
  WHEN (NEW."status" = 'proposed') EXECUTE FUNCTION "write_draft_event"();
CREATE TRIGGER "draft_event_changed" AFTER UPDATE OF "status", "failure" ON "draft" FOR EACH ROW
  WHEN ((NEW."status", NEW."failure") IS DISTINCT FROM (OLD."status", OLD."failure")) EXECUTE FUNCTION "write_draft_event"();
CREATE TRIGGER "draft_event_deleted" AFTER DELETE ON "draft" FOR EACH ROW
  WHEN (OLD."status" = 'proposed' OR OLD."failure" IS NOT NULL) EXECUTE FUNCTION "write_draft_event"();

-- Webhooks: events that are sent to an address of an application, for people who authorized it.
CREATE TABLE "webhook_endpoint" (
  "id"                  bigint         NOT NULL DEFAULT next_id(),
  "client_id"           varchar(256)   NOT NULL,
  "url"                 varchar(2048)  NOT NULL,
  "events"              "event_kind"[] NOT NULL,
  -- Encrypted with SECRET_KEYS: it signs what is sent, so it must be readable.
  "secret_jwe"          text           NOT NULL,
  -- Signs too, until then, so that the receiver can change the secret without losing a message.
  "previous_secret_jwe" text,
  "previous_until"      timestamptz(3),
  -- How often the secret was changed; encrypting it again does not count.
  "rotations"           integer        NOT NULL DEFAULT 0,
  "created_at"          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Since when no message arrived; null if the last one did.
  "failing_since"       timestamptz(3),
  -- Nothing is sent, after it failed for days, until its owner turns it on again.
  "off_since"           timestamptz(3),
  -- A security event stream (Shared Signals Framework) of a registered API, whose application manages it. Its secret is the header
  -- `Authorization` that is sent with each event. Without a foreign key: a pushed stream sends a last event after its API is deleted.
  "resource_server_id"  bigint,
  -- The receiver fetches the events of the stream.
  "is_polled"           boolean        NOT NULL DEFAULT false,
  -- The receiver asked that events wait.
  "is_paused"           boolean        NOT NULL DEFAULT false,
  "description"         varchar(256),

  CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_endpoint_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_endpoint_stream_check" CHECK ("resource_server_id" IS NOT NULL OR NOT ("is_polled" OR "is_paused")),
  CONSTRAINT "webhook_endpoint_client_id_url_key" UNIQUE ("client_id", "url"),
  CONSTRAINT "webhook_endpoint_events_check" CHECK (cardinality("events") > 0),
  CONSTRAINT "webhook_endpoint_previous_check" CHECK (("previous_secret_jwe" IS NULL) = ("previous_until" IS NULL))
);

-- The streams of an API.
CREATE INDEX "webhook_endpoint_resource_server_id_idx" ON "webhook_endpoint" ("resource_server_id") WHERE "resource_server_id" IS NOT NULL;

CREATE FUNCTION "audit_webhook_endpoint"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      endpoint webhook_endpoint := COALESCE(NEW, OLD);
      of_owner bigint;
    BEGIN
      SELECT owner_id INTO of_owner FROM application WHERE client_id = endpoint.client_id;
      -- What is deleted with its application has no entry of its own.
      IF NOT FOUND THEN RETURN NULL; END IF;
      PERFORM audit(
        CASE
          WHEN TG_OP = 'INSERT' THEN 'webhook.added'
          WHEN TG_OP = 'DELETE' THEN 'webhook.removed'
          WHEN NEW.off_since IS NOT NULL AND OLD.off_since IS NULL THEN 'webhook.switched_off'
          WHEN NEW.off_since IS NULL AND OLD.off_since IS NOT NULL THEN 'webhook.switched_on'
          WHEN NEW.rotations <> OLD.rotations THEN 'webhook.secret_changed'
          ELSE 'webhook.changed'
        END,
        CASE WHEN TG_OP = 'UPDATE' AND NEW.off_since IS NOT NULL AND OLD.off_since IS NULL OR TG_OP = 'DELETE' AND OLD.resource_server_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM resource_server WHERE id = OLD.resource_server_id) THEN 'service' ELSE 'person' END::audit_actor,
        of_owner, endpoint.client_id, jsonb_strip_nulls(jsonb_build_object('endpoint_id', endpoint.id::text, 'events', endpoint.events,
          'api', (SELECT identifier FROM resource_server WHERE id = endpoint.resource_server_id))));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "webhook_endpoint_audit" AFTER INSERT OR DELETE ON "webhook_endpoint" FOR EACH ROW
  EXECUTE FUNCTION "audit_webhook_endpoint"();
CREATE TRIGGER "webhook_endpoint_audit_change" AFTER UPDATE OF "events", "rotations", "off_since" ON "webhook_endpoint" FOR EACH ROW
  WHEN ((OLD."events", OLD."rotations", OLD."off_since") IS DISTINCT FROM (NEW."events", NEW."rotations", NEW."off_since"))
  EXECUTE FUNCTION "audit_webhook_endpoint"();

-- The events up to here have their deliveries. One row.
CREATE TABLE "webhook_cursor" (
  "only"     boolean NOT NULL DEFAULT true,
  "position" bigint  NOT NULL,

  CONSTRAINT "webhook_cursor_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "webhook_cursor_only_check" CHECK ("only")
);

INSERT INTO "webhook_cursor" ("position") VALUES (0);

CREATE TYPE "webhook_state" AS ENUM ('pending', 'delivered', 'failed', 'dropped');

CREATE TABLE "webhook_delivery" (
  "id"           bigint          NOT NULL DEFAULT next_id(),
  -- Stays the same in every attempt, also when it is sent again.
  "message_id"   varchar(64)     NOT NULL DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  "endpoint_id"  bigint          NOT NULL,
  -- The person who authorized the application, and because of whom it is sent.
  "account_id"   bigint          NOT NULL,
  -- Deliveries to one endpoint about one object are made in the order of their positions. `test:…`: the owner tries the endpoint.
  "object"       text            NOT NULL,
  "position"     bigint          NOT NULL,
  -- From the event, which is deleted after a day.
  "kind"         "event_kind"    NOT NULL,
  "actor_id"     bigint          NOT NULL,
  "concerned_id" bigint,
  "post_id"      bigint,
  "comment_id"   bigint,
  "draft_id"     bigint,
  "happened_at"  timestamptz(3)  NOT NULL,
  -- What a security event says.
  "signal"       jsonb,
  "state"        "webhook_state" NOT NULL DEFAULT 'pending',
  "attempts"     integer         NOT NULL DEFAULT 0,
  -- The status of the last response; null if there was none.
  "status"       smallint,
  -- How long the last attempt took.
  "duration_ms"  integer,
  "created_at"   timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),
  -- Since when it waits; later than created_at if it is sent again.
  "queued_at"    timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),
  "due_at"       timestamptz(3)  NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_delivery_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "webhook_delivery_message_id_key" UNIQUE ("message_id"),
  CONSTRAINT "webhook_delivery_attempts_check" CHECK ("attempts" >= 0)
);

-- How long deliveries have waited.
CREATE INDEX "webhook_delivery_due_at_idx" ON "webhook_delivery" ("due_at") WHERE "state" = 'pending';
-- The endpoints with deliveries that wait, and when the next one is due.
CREATE INDEX "webhook_delivery_endpoint_id_due_at_idx" ON "webhook_delivery" ("endpoint_id", "due_at") WHERE "state" = 'pending';
-- Whether an earlier delivery about the object waits; what waits for an endpoint.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("endpoint_id", "object", "position") WHERE "state" = 'pending';
-- The log of an endpoint; its deletion.
CREATE INDEX "webhook_delivery_endpoint_id_id_idx" ON "webhook_delivery" ("endpoint_id", "id" DESC);
-- The deliveries about a person, when the account is erased.
CREATE INDEX "webhook_delivery_account_id_idx" ON "webhook_delivery" ("account_id");
-- The sweep of old deliveries.
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery" ("created_at");

CREATE FUNCTION "erase_webhook_deliveries"() RETURNS trigger
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      DELETE FROM webhook_delivery WHERE account_id = NEW.id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_erase_webhook_deliveries" AFTER UPDATE OF "erased_at" ON "account" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND OLD."erased_at" IS NULL)
  EXECUTE FUNCTION "erase_webhook_deliveries"();

-- Security events of the streams of registered APIs (decisions D207), written in the transaction of the cause. `of_account`: the person;
-- NULL: it is about nobody.
CREATE FUNCTION "write_signal"("of_kind" "event_kind", "of_account" bigint, "of_apis" bigint[], "of_object" text, "with_signal" jsonb) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, happened_at, signal)
    SELECT w.id, COALESCE(of_account, r.owner_id), of_object, next_id(), of_kind, COALESCE(of_account, r.owner_id), clock_timestamp(), with_signal
    FROM webhook_endpoint w JOIN resource_server r ON r.id = w.resource_server_id
    WHERE w.resource_server_id = ANY (of_apis) AND of_kind = ANY (w.events) AND w.off_since IS NULL
    FOR KEY SHARE OF w -- one that is being deleted gets none
  $$;

-- The APIs with streams that a person has given access to, and has not taken it away.
CREATE FUNCTION "signalled_apis"("of_account" bigint) RETURNS bigint[]
  LANGUAGE sql STABLE
  AS $$
    SELECT ARRAY(SELECT r.id FROM resource_server r WHERE r.id IN (SELECT resource_server_id FROM webhook_endpoint WHERE resource_server_id IS NOT NULL)
      AND EXISTS (SELECT FROM "grant" g JOIN grant_resource_server l ON l.grant_id = g.id AND l.resource_server_id = r.id
        WHERE g.account_id = of_account AND g.revoked_at IS NULL AND (g.ends_at IS NULL OR g.ends_at > now())
          AND EXISTS (SELECT FROM unnest(g.scopes) s WHERE split_part(s, '#', 1) = r.identifier)))
  $$;

-- Tokens are revoked whose claim `claim` is `value`, and whose claim `epoch` is below `below`.
CREATE FUNCTION "signal_revocation"("of_kind" "revocation_kind", "of_id" text, "lowest_epoch" integer) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
    DECLARE
      claim text := CASE of_kind WHEN 'account' THEN 'acct' WHEN 'client' THEN 'client_id' WHEN 'grant' THEN 'gid' WHEN 'chain' THEN 'ch' ELSE 'jti' END;
      epoch_claim text := CASE WHEN lowest_epoch IS NOT NULL THEN CASE of_kind WHEN 'account' THEN 'ae' WHEN 'client' THEN 'ce' ELSE 'ge' END END;
      person bigint;
      apis bigint[];
    BEGIN
      IF NOT EXISTS (SELECT FROM webhook_endpoint WHERE resource_server_id IS NOT NULL) THEN RETURN; END IF;
      CASE of_kind
        WHEN 'account' THEN
          person := of_id::bigint;
          apis := signalled_apis(person);
        WHEN 'client' THEN
          -- Its owner's APIs: it gets tokens for them without a person.
          apis := ARRAY(SELECT r.id FROM resource_server r WHERE r.id IN (SELECT resource_server_id FROM webhook_endpoint WHERE resource_server_id IS NOT NULL)
            AND (r.owner_id = (SELECT owner_id FROM application WHERE client_id = of_id) OR EXISTS (
              SELECT FROM grant_resource_server l JOIN "grant" g ON g.id = l.grant_id WHERE l.resource_server_id = r.id AND g.client_id = of_id)));
        WHEN 'grant', 'chain' THEN
          SELECT g.account_id, ARRAY(SELECT resource_server_id FROM grant_resource_server WHERE grant_id = g.id) INTO person, apis
          FROM "grant" g WHERE g.id = CASE of_kind WHEN 'grant' THEN of_id ELSE (SELECT grant_id FROM ended_chain WHERE id = of_id) END;
        ELSE
          SELECT g.account_id, ARRAY[t.resource_server_id] INTO person, apis
          FROM token_status t LEFT JOIN "grant" g ON g.id = t.gid WHERE t.jti = of_id;
      END CASE;
      PERFORM write_signal('session.revoked', person, apis, claim || ':' || of_id, jsonb_strip_nulls(jsonb_build_object('claim', claim,
        'value', CASE claim WHEN 'acct' THEN to_jsonb(of_id::bigint) ELSE to_jsonb(of_id) END, 'epoch', epoch_claim, 'below', lowest_epoch)));
    END
  $$;

CREATE FUNCTION "signal_application"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM signal_revocation('client', OLD.client_id, NULL);
        RETURN OLD;
      END IF;
      PERFORM signal_revocation('client', NEW.client_id, CASE WHEN NEW.suspended_at IS NULL AND NEW.paused_at IS NULL THEN NEW.epoch END);
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "application_signal" AFTER UPDATE OF "epoch", "suspended_at", "paused_at" ON "application" FOR EACH ROW
  WHEN ((OLD."epoch", OLD."suspended_at", OLD."paused_at") IS DISTINCT FROM (NEW."epoch", NEW."suspended_at", NEW."paused_at"))
  EXECUTE FUNCTION "signal_application"();
-- Before its grants go.
CREATE TRIGGER "application_signal_deleted" BEFORE DELETE ON "application" FOR EACH ROW
  EXECUTE FUNCTION "signal_application"();

-- The last event of a pushed stream says that no token for the API is valid any more, and carries what it is signed with.
CREATE FUNCTION "signal_resource_server"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        DELETE FROM webhook_endpoint WHERE resource_server_id = OLD.id
          AND (is_polled OR is_paused OR off_since IS NOT NULL OR 'session.revoked' <> ALL (events));
        DELETE FROM webhook_delivery d USING webhook_endpoint w WHERE w.resource_server_id = OLD.id AND d.endpoint_id = w.id AND d.state = 'pending';
        PERFORM write_signal('session.revoked', NULL, ARRAY[OLD.id], 'rs', jsonb_build_object('claim', 'rs', 'value', OLD.id,
          'api', jsonb_build_object('identifier', OLD.identifier, 'alg', OLD.access_token_alg)));
        RETURN OLD;
      END IF;
      PERFORM write_signal('session.revoked', NULL, ARRAY[NEW.id], 'rs', jsonb_build_object('claim', 'rs', 'value', NEW.id, 'epoch', 're', 'below', NEW.epoch));
      RETURN NULL;
    END
  $$;

-- Another application does not inherit the streams.
CREATE FUNCTION "end_streams"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    BEGIN
      DELETE FROM webhook_endpoint WHERE resource_server_id = NEW.id AND client_id IS DISTINCT FROM NEW.client_id;
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "resource_server_ends_streams" AFTER UPDATE OF "client_id" ON "resource_server" FOR EACH ROW
  WHEN (OLD."client_id" IS DISTINCT FROM NEW."client_id") EXECUTE FUNCTION "end_streams"();
-- Not `OF "epoch"`: a trigger raises it, when scopes change.
CREATE TRIGGER "resource_server_signal" AFTER UPDATE ON "resource_server" FOR EACH ROW
  WHEN (OLD."epoch" <> NEW."epoch") EXECUTE FUNCTION "signal_resource_server"();
-- After "resource_server_remove_scopes": no event for each grant.
CREATE TRIGGER "resource_server_signal_deleted" BEFORE DELETE ON "resource_server" FOR EACH ROW
  EXECUTE FUNCTION "signal_resource_server"();

-- With the epoch as it was, the same password was hashed anew. What goes with an erased account is no event of its own.
CREATE FUNCTION "signal_credential"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
    DECLARE
      person bigint;
      credential text := 'app';
    BEGIN
      IF NOT EXISTS (SELECT FROM webhook_endpoint WHERE resource_server_id IS NOT NULL) THEN RETURN NULL; END IF;
      IF TG_TABLE_NAME = 'account' THEN
        person := NEW.id;
        credential := 'password';
      ELSE
        person := CASE TG_OP WHEN 'DELETE' THEN OLD.account_id ELSE NEW.account_id END;
        IF TG_TABLE_NAME = 'passkey' THEN
          credential := CASE WHEN 'internal' = ANY (CASE TG_OP WHEN 'DELETE' THEN OLD.transports ELSE NEW.transports END)
            THEN 'fido2-platform' ELSE 'fido2-roaming' END;
        END IF;
      END IF;
      PERFORM write_signal('credential.changed', person, signalled_apis(person), 'credential:' || person, jsonb_build_object(
        'credential_type', credential, 'change_type', CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'DELETE' THEN 'delete' ELSE 'update' END));
      RETURN NULL;
    END
  $$;

CREATE TRIGGER "account_signal_password" AFTER UPDATE OF "password_hash" ON "account" FOR EACH ROW
  WHEN (NEW."epoch" > OLD."epoch" AND NEW."password_hash" <> OLD."password_hash" AND NEW."erased_at" IS NULL)
  EXECUTE FUNCTION "signal_credential"();
CREATE TRIGGER "passkey_signal" AFTER INSERT OR DELETE ON "passkey" FOR EACH ROW EXECUTE FUNCTION "signal_credential"();
CREATE TRIGGER "totp_signal" AFTER INSERT OR DELETE ON "totp" FOR EACH ROW EXECUTE FUNCTION "signal_credential"();

-- Web Push: where a browser or an app of a person gets notifications, for as long as the access that added it lasts.
CREATE TABLE "push_subscription" (
  -- SHA-256 of the endpoint: another account in the same browser takes it over.
  "endpoint_sha256" bytea                 NOT NULL,
  "account_id"      bigint                NOT NULL,
  -- What the access token depended on.
  "client_id"       varchar(256)          NOT NULL,
  "grant_id"        varchar(64),
  "chain_id"        varchar(32),
  "client_epoch"    integer               NOT NULL,
  "grant_epoch"     integer               NOT NULL,
  "account_epoch"   integer               NOT NULL,
  "endpoint"        varchar(2048)         NOT NULL,
  -- Keys of the browser, with which messages are encrypted.
  "p256dh"          bytea                 NOT NULL,
  "auth"            bytea                 NOT NULL,
  -- The public key of the service that the browser accepts messages from.
  "server_key"      varchar(87)           NOT NULL,
  "types"           "notification_kind"[] NOT NULL,
  "renewed_at"      timestamptz(3)        NOT NULL DEFAULT clock_timestamp(),
  -- Since when no message arrived; null if the last one did.
  "failing_since"   timestamptz(3),
  -- Nothing is sent before.
  "retry_at"        timestamptz(3),
  -- How often something was sent since.
  "rounds"          smallint              NOT NULL DEFAULT 0,
  "rounds_since"    timestamptz(3)        NOT NULL DEFAULT clock_timestamp(),

  CONSTRAINT "push_subscription_pkey" PRIMARY KEY ("endpoint_sha256"),
  CONSTRAINT "push_subscription_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "push_subscription_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "application" ("client_id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "push_subscription_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grant" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "push_subscription_endpoint_sha256_check" CHECK (octet_length("endpoint_sha256") = 32),
  CONSTRAINT "push_subscription_p256dh_check" CHECK (octet_length("p256dh") = 65),
  CONSTRAINT "push_subscription_auth_check" CHECK (octet_length("auth") = 16),
  CONSTRAINT "push_subscription_types_check" CHECK (cardinality("types") > 0)
);

-- The subscriptions of an account; its erasure.
CREATE INDEX "push_subscription_account_id_idx" ON "push_subscription" ("account_id");
-- Deleting an application, or a grant, with what depends on it.
CREATE INDEX "push_subscription_client_id_idx" ON "push_subscription" ("client_id");
CREATE INDEX "push_subscription_grant_id_idx" ON "push_subscription" ("grant_id");

-- What happened up to this event was pushed. One row.
CREATE TABLE "push_cursor" (
  "only"     boolean NOT NULL DEFAULT true,
  "position" bigint  NOT NULL,

  CONSTRAINT "push_cursor_pkey" PRIMARY KEY ("only"),
  CONSTRAINT "push_cursor_only_check" CHECK ("only")
);

INSERT INTO "push_cursor" ("position") VALUES (0);
