import type { Db } from '@linnet/db/database';

interface LargestPosts {
  readonly authorId: number;
  /** Becomes a follower of the author. */
  readonly readerId: number;
}

/**
 * Posts of as many hashtags as fit, which become links, and characters that become entities in HTML; the first one has comments of the
 * same kind. Returns its id. `fillLargestData` comes first: its people write the comments.
 */
export async function fillLargestPosts({ prisma }: Db, { authorId, readerId }: LargestPosts): Promise<number> {
  await prisma.$executeRaw`INSERT INTO follow (follower_id, followed_id) VALUES (${readerId}, ${authorId})`;
  await prisma.$executeRaw`
    INSERT INTO post (author_id, text) SELECT ${authorId}, repeat('<#a ', 100) FROM generate_series(1, 45)`;
  const { id } = await prisma.post.findFirstOrThrow({ where: { authorId }, select: { id: true } });
  await prisma.$executeRaw`
    INSERT INTO comment (post_id, author_id, text)
    SELECT ${id}, account.id, repeat('<#a ', 250) FROM account WHERE username LIKE 'asking\\_%' LIMIT 45`;
  await prisma.$executeRaw`UPDATE post SET comments_count = 45 WHERE id = ${id}`;
  return Number(id);
}
