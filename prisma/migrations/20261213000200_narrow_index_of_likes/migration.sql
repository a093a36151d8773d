-- post_like_post_id_id_account_id_idx begins with the same column.
DROP INDEX CONCURRENTLY "post_like_post_id_idx";
