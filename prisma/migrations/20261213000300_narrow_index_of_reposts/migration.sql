-- repost_post_id_id_account_id_idx begins with the same column.
DROP INDEX CONCURRENTLY "repost_post_id_idx";
