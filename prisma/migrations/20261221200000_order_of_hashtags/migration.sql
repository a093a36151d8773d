-- Most hashtags have few posts, a few have very many. A plan for any of them expects few, and then reads and sorts all posts of a popular
-- one as long as no page of the table counts as visible to all, such as after a restore. As if there were five hashtags, PostgreSQL
-- expects many, and always reads the latest in the order of the index.
ALTER TABLE "post_hashtag" ALTER COLUMN "hashtag" SET (n_distinct = 5);
