-- Who may comment on a post, besides its author, and whether its pictures are hidden until the reader asks for them.

-- Followers of the author, and accounts that the post mentions; or only those.
CREATE TYPE "post_commenters" AS ENUM ('everyone', 'followers', 'mentioned');

ALTER TABLE "post"
  ADD COLUMN "commenters" "post_commenters" NOT NULL DEFAULT 'everyone',
  ADD COLUMN "sensitive" boolean NOT NULL DEFAULT false;

-- May the account comment on a post with these columns? Not asked if everyone may. VOLATILE: it also sees an unfollow that was
-- committed while the calling statement waited for a lock, which the snapshot of that statement does not show.
CREATE FUNCTION "is_commenter"("commenters" "post_commenters", "author" bigint, "mentioned" bigint[], "account" bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$
    BEGIN
      RETURN account = author OR account = ANY (COALESCE(mentioned, '{}'))
        OR (commenters = 'followers' AND EXISTS (SELECT 1 FROM follow WHERE follower_id = account AND followed_id = author));
    END
  $$;
