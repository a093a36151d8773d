import { acts, runDeletions, timelines } from '../support/api/timelines.ts';
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import { insertAccount } from '../support/db/insert-account.ts';

/** Random numbers from a seed (mulberry32), so that a failure can be repeated as far as concurrency allows. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** People who post, follow and hide each other at random. */
export interface TimelineWorld {
  readonly people: readonly number[];
  /** Does something that may change feeds. */
  readonly act: (random: (below: number) => number) => Promise<void>;
  /** Applies the changes that are left. */
  readonly apply: () => Promise<void>;
}

interface WorldOptions {
  readonly people: number;
  /** Posts of the first account, whom all follow: more than a timeline holds, or few. */
  readonly posts: number;
  /** Followers that one transaction looks at. */
  readonly part: number;
}

const latestPosts = statement<readonly [offset: number], { readonly id: number; readonly author: number }>(
  'test_latest_post',
  'SELECT id, author_id AS author FROM post ORDER BY id DESC OFFSET $1 LIMIT 1',
);
const setProtected = statement<readonly [id: number], unknown>(
  'test_protect',
  'UPDATE account SET protected = NOT protected WHERE id = $1',
);
/**
 * At most two are deleted at a time. One in thirty was deleted long ago, and is erased; only every fourth account can be, so that people
 * are left after any number of acts, and never the first, whom all follow.
 */
const setDeleted = statement<readonly [id: number, age: number, people: readonly number[]], unknown>(
  'test_delete',
  `UPDATE account SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() - $2 * interval '1 day' END
   WHERE erased_at IS NULL AND COALESCE(deleted_at > now() - interval '1 day', true) AND id = COALESCE((
     SELECT max(id) FROM account WHERE id = ANY ($3) AND deleted_at > now() - interval '1 day' AND erased_at IS NULL HAVING count(*) > 1
   ), $1)`,
);
const fill = statement<readonly [author: number, posts: number], unknown>(
  'test_fill',
  `WITH added AS (INSERT INTO post (id, author_id, text, mention_ids) SELECT next_id($1), $1, 'old', '{}' FROM generate_series(1, $2) RETURNING 1)
   UPDATE account SET posts_count = posts_count + (SELECT count(*) FROM added) WHERE id = $1`,
);

const visibleAccounts = statement<readonly [people: readonly number[]], { readonly id: number }>(
  'test_visible',
  'SELECT id FROM account WHERE id = ANY ($1) AND hidden_at IS NULL',
);

/** Those of a world who can read their feed now. */
export async function findReaders(db: Db, { people }: TimelineWorld): Promise<readonly number[]> {
  return (await db.query(visibleAccounts, [people])).map(({ id }) => id);
}

const forget = statement<readonly [author: number], unknown>(
  'test_forget',
  'DELETE FROM timeline_change WHERE account_id = $1',
);

let worlds = 0;

/** In a moment, or never. */
function randomEnd(random: (below: number) => number): Date | undefined {
  return random(2) === 0 ? new Date(Date.now() + random(400)) : undefined;
}

export async function createTimelineWorld(db: Db, { people: size, posts, part }: WorldOptions): Promise<TimelineWorld> {
  worlds += 1;
  const people: number[] = [];
  for (let index = 0; index < size; index += 1) {
    people.push(await insertAccount(db, `world_${String(worlds)}_${String(index)}`));
  }
  const [first = 0, ...others] = people;
  await db.query(fill, [first, posts]);
  // Nobody has a timeline yet.
  await db.query(forget, [first]);
  for (const other of others) await acts.follow(db, other, first);
  const applyChanges = timelines.createChanges({ part });
  const act: TimelineWorld['act'] = async (random) => {
    // The latest posts are chosen most, and sometimes a very old one.
    const [post] = await db.query(latestPosts, [random(5) === 0 ? random(3000) : random(20)]);
    const { id, author } = post ?? { id: 0, author: 0 };
    const place = random(people.length);
    const [me = first, other = first] = [
      people[place],
      people[(place + 1 + random(people.length - 1)) % people.length],
    ];
    const possible: (readonly [share: number, act: () => Promise<unknown>])[] = [
      [120, () => acts.post(db, me, random(3) === 0 ? '#new' : 'new')],
      [100, () => acts.repost(db, me, id)],
      [32, () => acts.unrepost(db, me, id)],
      [48, () => acts.deletePost(db, author, id)],
      [8, () => acts.follow(db, me, other)],
      [3, () => acts.unfollow(db, me, other)],
      [4, () => acts.approve(db, me, other)],
      [1, () => acts.removeFollower(db, me, other)],
      [2, () => acts.mute(db, { muterId: me, mutedId: other, endsAt: randomEnd(random) })],
      [2, () => acts.unmute(db, me, other)],
      [3, () => acts.followHashtag(db, me, 'new')],
      [2, () => acts.unfollowHashtag(db, me, 'new')],
      [1, () => acts.block(db, me, other)],
      [2, () => acts.unblock(db, me, other)],
      [1, () => db.query(setProtected, [me])],
      [2, () => db.query(setDeleted, [other, random(30) === 0 && people.indexOf(other) % 4 === 1 ? 15 : 0, people])],
      [1, () => runDeletions(db)],
    ];
    let left = random(possible.reduce((sum, [share]) => sum + share, 0));
    for (const [share, run] of possible) {
      left -= share;
      if (left < 0) return void (await run());
    }
  };
  return { people, act, apply: async () => await applyChanges(db) };
}
