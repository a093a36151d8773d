import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { ReceivedImage } from '@linnet/media/uploads';

/** SQL: whether there is a page to fetch. */
export const isCardDue = 'EXISTS (SELECT 1 FROM link_card WHERE due_at <= now())';

/** A page is given up after this many attempts, which are 2, 8, 32 and 128 minutes apart. */
const maxAttempts = 5;

interface DueCard {
  readonly id: string;
  readonly url: string;
}

// It is the outcome of a failure, too, so that neither one nor a crash needs a further statement.
const claimStatement = statement<readonly [], DueCard>(
  'link_card_claim',
  `UPDATE link_card SET attempts = attempts + 1, fresh_until = now() + interval '1 day',
     due_at = CASE WHEN attempts + 1 < ${String(maxAttempts)} THEN now() + interval '2 minutes' * power(4, attempts) END
   WHERE id = ANY (ARRAY(SELECT id FROM link_card WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING id, url`,
);

/** Returns the next page to fetch, for this caller alone. */
export async function claimCard(db: Queryable): Promise<DueCard | undefined> {
  const [card] = await db.query(claimStatement, []);
  return card;
}

/** What a page says about itself. */
export interface PageWords {
  readonly title: string;
  /** May be empty. */
  readonly description: string;
  readonly siteName: string;
}

export interface FoundCard extends PageWords {
  readonly id: string;
  readonly picture: ReceivedImage | undefined;
  /** What the picture shows. */
  readonly alt: string;
}

type StoreParams = readonly [
  id: string,
  title: string,
  description: string,
  siteName: string,
  image: string | null,
  width: number,
  height: number,
  alt: string,
  blurhash: string,
];

const storeStatement = statement<StoreParams, never>(
  'link_card_store',
  `UPDATE link_card SET title = $2, description = $3, site_name = $4, image = $5, width = $6, height = $7, alt = $8, blurhash = $9,
     attempts = 0, due_at = NULL, fresh_until = now() + interval '7 days'
   WHERE id = $1::uuid`,
);

/** Stores what was found. A trigger removes the file of the picture before. */
export async function storeCard(db: Queryable, card: FoundCard): Promise<void> {
  const { id, title, description, siteName, picture, alt } = card;
  const { name = null, width = 0, height = 0, blurhash = '' } = picture ?? {};
  await db.query(storeStatement, [id, title, description, siteName, name, width, height, alt, blurhash]);
}

const hasNoPosts = `NOT EXISTS (SELECT 1 FROM post WHERE card_id = link_card.id)
  AND NOT EXISTS (SELECT 1 FROM comment WHERE card_id = link_card.id)`;

/** Deletes old cards without posts and comments. */
export const sweepCards = createSweep('link_card', {
  table: 'link_card',
  where: `fresh_until < now() AND due_at IS NULL AND ${hasNoPosts}`,
});

/** Deletes all cards. */
export const sweepAllCards = createSweep('link_card_all', { table: 'link_card', where: 'true' });
