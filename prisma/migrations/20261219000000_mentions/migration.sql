-- Who is mentioned where, for lists that are newest first. Written with the post or comment, and deleted with it.

CREATE TABLE "mention" (
  -- The mentioned account. Without a foreign key, as in mention_ids: it would lock the row of a popular account.
  "account_id"     bigint NOT NULL,
  -- Of the post or comment that mentions it. Ids of both come from one ascending sequence.
  "id"             bigint NOT NULL,
  "author_id"      bigint NOT NULL,
  -- The post, or the one that the comment is about.
  "post_id"        bigint NOT NULL,
  "post_author_id" bigint NOT NULL,
  -- Null: the post mentions the account.
  "comment_id"     bigint,

  CONSTRAINT "mention_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "mention_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mention_comment_id_fkey" FOREIGN KEY ("comment_id") REFERENCES "comment"("id") ON DELETE CASCADE ON UPDATE RESTRICT,
  CONSTRAINT "mention_id_check" CHECK ("id" = COALESCE("comment_id", "post_id"))
);

CREATE INDEX "mention_account_id_id_post_author_id_author_id_idx"
  ON "mention" ("account_id", "id" DESC, "post_author_id", "author_id", "post_id", "comment_id");
COMMENT ON INDEX "mention_account_id_id_post_author_id_author_id_idx"
  IS 'GET /mentions: the latest mentions of one account, filtered by the index alone.';
CREATE INDEX "mention_post_id_idx" ON "mention" ("post_id");
COMMENT ON INDEX "mention_post_id_idx" IS 'The mentions of a post and its comments, when it is deleted.';
CREATE INDEX "mention_comment_id_idx" ON "mention" ("comment_id");
COMMENT ON INDEX "mention_comment_id_idx" IS 'The mentions of a comment, when it is deleted.';

CREATE FUNCTION "write_mentions_of_post"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
    SELECT mentioned, NEW.id, NEW.author_id, NEW.id, NEW.author_id
    FROM unnest(NEW.mention_ids) mentioned WHERE mentioned <> NEW.author_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

-- Posts that mention nobody do not pay for it.
CREATE TRIGGER "post_mentions" AFTER INSERT ON "post"
  FOR EACH ROW WHEN (NEW."mention_ids" IS NOT NULL) EXECUTE FUNCTION "write_mentions_of_post"();

-- Posts of earlier versions.
INSERT INTO "data_migration" ("name", "table_name", "statement") VALUES ('20261219000000_mentions', 'post', $$
  INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
  SELECT DISTINCT mentioned.id, p.id, p.author_id, p.id, p.author_id
  FROM post p CROSS JOIN unnest(p.mention_ids) mentioned(id) JOIN account a ON a.id = mentioned.id
  WHERE p.id > $1 AND p.id <= $2 AND mentioned.id <> p.author_id
  ON CONFLICT DO NOTHING
$$);
