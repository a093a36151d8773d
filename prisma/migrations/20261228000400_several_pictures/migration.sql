-- after: 0.1.0
-- Servers of earlier versions fail to show a post with several pictures, so that the index forbids them as long as one runs.
DROP INDEX CONCURRENTLY "media_post_id_key";
