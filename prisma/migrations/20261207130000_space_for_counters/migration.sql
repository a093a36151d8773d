-- Likes, comments and reposts change the counters of a post. With space left in its page, the new version of the row
-- stays there and needs no new index entries (a HOT update). Pages that exist get the space when rows leave them.
ALTER TABLE "post" SET (fillfactor = 85);
