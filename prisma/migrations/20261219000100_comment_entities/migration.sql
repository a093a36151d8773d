-- Comments mention accounts, have hashtags and links, and reply to other comments. Null in comments of earlier versions: none.

ALTER TABLE "comment"
  -- The comment that it replies to. No foreign key: a reply stays when the comment above it is deleted.
  ADD COLUMN "parent_id"   bigint,
  ADD COLUMN "hashtags"    jsonb,
  ADD COLUMN "urls"        jsonb,
  -- Mentioned accounts, in order of appearance.
  ADD COLUMN "mention_ids" bigint[];

CREATE FUNCTION "write_mentions_of_comment"() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    INSERT INTO mention (account_id, id, author_id, post_id, post_author_id, comment_id)
    SELECT mentioned, NEW.id, NEW.author_id, p.id, p.author_id, NEW.id
    FROM post p CROSS JOIN unnest(NEW.mention_ids) mentioned WHERE p.id = NEW.post_id AND mentioned <> NEW.author_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END
  $$;

CREATE TRIGGER "comment_mentions" AFTER INSERT ON "comment"
  FOR EACH ROW WHEN (NEW."mention_ids" IS NOT NULL) EXECUTE FUNCTION "write_mentions_of_comment"();
