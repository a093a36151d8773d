-- Showing a post: its pictures in their order. A post has one picture at each position.
CREATE UNIQUE INDEX CONCURRENTLY "media_post_id_position_key" ON "media" ("post_id", "position");
