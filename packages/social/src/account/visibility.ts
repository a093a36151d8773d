/** The id of the account that reads; null for an application without an acting account. */
export type Viewer = number | null;

// Who may see what is decided here, and by the filters of lists (`account-filter.ts`), which are composed of it. A block hides
// two accounts from each other. Somebody without an account is never part of one: SQL finds no row for a viewer that is NULL.

/**
 * SQL of a viewer without an account, where a statement is only for that. Conditions then leave out what is never true, because
 * PostgreSQL starts every part of a plan, even those it never runs.
 */
export const nobody = 'NULL::bigint';

const blockBy = (blocker: string, blocked: string) =>
  `(SELECT true FROM block WHERE blocker_id = ${blocker} AND blocked_id = ${blocked})`;

/** SQL condition: does neither of the accounts with these ids block the other? Reads two index entries. */
function isUnblocked(viewer: string, id: string): string {
  if (viewer === nobody) return 'true';
  return `(${blockBy(viewer, id)} IS NULL AND ${blockBy(id, viewer)} IS NULL)`;
}

/** SQL condition: does `viewer` not block the account in `alias`, and is not blocked by it? Most were never part of a block. */
export function isOpenTo(viewer: string, alias: string): string {
  if (viewer === nobody) return 'true';
  return `(${alias}.block_epoch = 0 OR ${isUnblocked(viewer, `${alias}.id`)})`;
}

/** SQL condition: is `viewer` part of any block? */
export function hasBlocks(viewer: string): string {
  if (viewer === nobody) return 'false';
  return `COALESCE((SELECT true FROM block WHERE blocker_id = ${viewer} LIMIT 1), (SELECT true FROM block WHERE blocked_id = ${viewer} LIMIT 1), false)`;
}

/** SQL query: the ids among the array `ids` of accounts that block `viewer` or that it blocks. Mostly it reads two index entries. */
export function selectBlocked(viewer: string, ids: string): string {
  if (viewer === nobody) return `SELECT ${nobody} WHERE false`;
  return `SELECT blocked_id FROM block WHERE (SELECT true FROM block WHERE blocker_id = ${viewer} LIMIT 1)
      AND blocker_id = ${viewer} AND blocked_id = ANY (${ids})
    UNION ALL SELECT blocker_id FROM block WHERE (SELECT true FROM block WHERE blocked_id = ${viewer} LIMIT 1)
      AND blocked_id = ${viewer} AND blocker_id = ANY (${ids})`;
}

/** SQL query: the ids of the accounts that `viewer` mutes at the moment. */
export function selectMuted(viewer: string): string {
  return `SELECT muted_id FROM mute WHERE muter_id = ${viewer} AND (ends_at IS NULL OR ends_at > now())`;
}

/**
 * SQL condition: may the account `viewer` (a bigint parameter such as `$2::bigint`; null: see `Viewer`) see posts and
 * media of the account in `alias`? Nobody sees those of a hidden account: one that is deleted or suspended (decisions D111). Only the account itself and its followers
 * see those of a protected one (decisions D25). A block hides them in both directions.
 */
export function visibleTo(viewer: string, alias: string): string {
  return `(${alias}.hidden_at IS NULL AND ${isOpenTo(viewer, alias)} AND ${isApproved(viewer, alias)})`;
}

/**
 * SQL condition: may `viewer` come across posts of the account in `alias` without asking for them, as in a search? What a limited
 * account posts meets only itself and its followers (decisions D177): here it counts as protected.
 */
export function meets(viewer: string, alias: string): string {
  return `(${visibleTo(viewer, alias)} AND ${isUnlimited(viewer, alias)})`;
}

/**
 * SQL condition: may `viewer` see a post of the account in `alias` within a post of the account `quoter`? It comes unasked, so that nobody
 * sees there what a muted account wrote (decisions D204). A block between the two authors hides it from everybody.
 */
export function quotedTo(viewer: string, alias: string, quoter: string): string {
  const isUnmuted = viewer === nobody ? 'true' : `${alias}.id NOT IN (${selectMuted(viewer)})`;
  return `(${meets(viewer, alias)} AND ${isOpenTo(quoter, alias)} AND ${isUnmuted})`;
}

/** SQL condition: does the account in `alias` let `author`, who may see its post, quote it? */
export function quotableBy(author: string, alias: string): string {
  return `(${alias}.id = ${author} OR (NOT ${alias}.protected AND (${alias}.quoters = 'everyone' OR (${alias}.quoters = 'followers' AND (
    SELECT true FROM follow WHERE follower_id = ${author} AND followed_id = ${alias}.id
  ) IS TRUE))))`;
}

/** SQL condition: is the account in `alias` not limited, or does `viewer` follow it, or is it the same? */
export function isUnlimited(viewer: string, alias: string): string {
  return isOwnOrFollowed(viewer, alias, `${alias}.limited_at IS NULL`);
}

function isApproved(viewer: string, alias: string): string {
  return isOwnOrFollowed(viewer, alias, `NOT ${alias}.protected`);
}

function isOwnOrFollowed(viewer: string, alias: string, otherwise: string): string {
  if (viewer === nobody) return otherwise;
  // A scalar subquery, which finds its row by the key. For EXISTS, PostgreSQL may collect all whom the viewer follows.
  return `(${otherwise} OR ${alias}.id = ${viewer} OR (
    SELECT true FROM follow approved WHERE approved.follower_id = ${viewer} AND approved.followed_id = ${alias}.id
  ) IS TRUE)`;
}

/** So many look-ups for each viewer cost less than reading the few hundred accounts that most follow. */
const fewAccounts = '8';

/**
 * SQL query: the ids among the array `viewers` of those who may see posts of any of the protected accounts that the query `accounts`
 * returns: they follow one, or are one.
 */
export function selectApproved(viewers: string, accounts: string): string {
  const lookedUp = `SELECT 1 FROM (${accounts}) one CROSS JOIN LATERAL (
    SELECT 1 FROM follow WHERE follower_id = viewer.id AND followed_id = one.id OFFSET 0
  ) followed`;
  const found = `SELECT follower_id FROM follow WHERE follower_id = ANY (${viewers}) AND followed_id = ANY (ARRAY(${accounts}))`;
  return `SELECT viewer.id FROM unnest(${viewers}) viewer (id) WHERE viewer.id IN (${accounts})
    OR CASE WHEN (SELECT count(*) FROM (${accounts}) one) <= ${fewAccounts} THEN EXISTS (${lookedUp}) ELSE viewer.id = ANY (ARRAY(${found})) END`;
}

/**
 * SQL condition: may `viewer` report what the account in `alias` posts? A block does not count: people block first, or read it
 * where no account is needed.
 */
export function reportableBy(viewer: string, alias: string): string {
  return `(${alias}.hidden_at IS NULL AND ${isApproved(viewer, alias)})`;
}

/** SQL condition: does `viewer`, who may see a post, see comments of the account in `alias` on it? */
export function commentsVisibleTo(viewer: string, alias: string): string {
  return `(${alias}.hidden_at IS NULL AND ${isOpenTo(viewer, alias)})`;
}

/**
 * SQL condition: may `viewer` see posts of the account with this id? For statements that skip many rows: it looks in
 * the small index of protected and hidden accounts first, which settles most accounts. It is a separate subquery, so
 * that no plan scans all accounts.
 */
export function isAuthorVisible(viewer: string, authorId: string): string {
  return `((SELECT COALESCE(${visibleTo(viewer, 'hidden')}, false) FROM account hidden
    WHERE hidden.id = ${authorId} AND (hidden.protected OR hidden.hidden_at IS NOT NULL)) IS NOT FALSE AND ${isNotBlocked(viewer, authorId)})`;
}

/** SQL condition: as `isAuthorVisible`, for what comes unasked: see `meets`. */
export function isAuthorMet(viewer: string, authorId: string): string {
  return `((SELECT COALESCE(${meets(viewer, 'hidden')}, false) FROM account hidden
    WHERE hidden.id = ${authorId} AND ${isRestricted('hidden')}) IS NOT FALSE AND ${isNotBlocked(viewer, authorId)})`;
}

/** SQL condition: is the account in `alias` hidden, or do only its followers come across it? The index of those is small. */
export function isRestricted(alias: string): string {
  return `(${alias}.protected OR ${alias}.limited_at IS NOT NULL OR ${alias}.hidden_at IS NOT NULL)`;
}

/**
 * SQL condition: is there no block between `viewer` and the account with this id? For statements that skip many rows: a viewer
 * without any block is found out once.
 */
export function isNotBlocked(viewer: string, id: string): string {
  if (viewer === nobody) return 'true';
  return `(NOT ${hasBlocks(viewer)} OR ${isUnblocked(viewer, id)})`;
}

/**
 * SQL condition: is the account with this id neither deleted nor suspended? For statements that skip many rows: it looks in the small
 * index of hidden accounts. It is a separate subquery, so that no plan scans all accounts.
 */
export function isNotHidden(id: string): string {
  return `(SELECT true FROM account gone WHERE gone.id = ${id} AND gone.hidden_at IS NOT NULL) IS NULL`;
}
