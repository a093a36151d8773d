import type { Person, Sent } from './people.ts';

/**
 * The kinds of viewers of a protected account. `muting`: an approved follower who mutes it; `blocked` and `blocking`: had been
 * approved, then one blocked the other; `application`: a token that acts for no account.
 */
export const viewers = [
  ...(['self', 'approved', 'muting', 'requested', 'stranger'] as const),
  ...(['blocked', 'blocking', 'application'] as const),
] as const;
export type Viewer = (typeof viewers)[number];

/** The records that a request can be about. Every test creates its own post with everything attached to it. */
export interface Scene {
  /** The protected account. */
  readonly owner: Person;
  readonly approved: Person;
  /** An account that is not protected. */
  readonly other: Person;
  /** A post of the owner, liked and reposted by the approved follower. */
  readonly post: number;
  /** A comment of the owner on that post. */
  readonly comment: number;
  /** A comment of the approved follower on that post. */
  readonly guestComment: number;
  /** Attached to that post. */
  readonly media: { readonly id: number; readonly name: string };
  /** A post of the other account that mentions the owner. */
  readonly mention: number;
  /** A comment of the other account, on that post, that mentions the owner, too. */
  readonly mentioningComment: number;
  /** Unique text in the post and the comment. */
  readonly secret: string;
}

/** The status, and the code of a problem. */
export type Outcome = readonly [status: number, code?: string];

export interface VisibilityCase {
  readonly what: string;
  readonly input: (scene: Scene) => Readonly<Record<string, unknown>>;
  /** By default viewers who may see the post get 200, those with a block `blocked`, and all others `hidden`. */
  readonly expected: Readonly<Partial<Record<Viewer, Outcome>>> & {
    readonly hidden: Outcome;
    readonly behindBlock?: Outcome;
  };
  /** Whether a 200 response shows what only permitted viewers may see. Absent: no response shows any of it. */
  readonly shows?: (body: Sent['body'], scene: Scene) => boolean;
  /** Whether it is a list that leaves out muted accounts. */
  readonly leavesOutMuted?: boolean;
  /** Input for a record that does not exist: a 404 must be the same response as to this input. */
  readonly absent?: Readonly<Record<string, unknown>>;
}

export const ok: Outcome = [200];
export const notFound: Outcome = [404, 'not-found'];
export const malformed: Outcome = [400, 'invalid-parameter'];
export const notOwner: Outcome = [403, 'not-owner'];
const protectedAccount: Outcome = [403, 'protected-account'];

export const postItem = ({ post }: Scene) => ({ item_id: post, type: 'post' });
export const showsSecret = (body: unknown, { secret }: Scene) => JSON.stringify(body).includes(secret);
export const showsMedia = (body: unknown, { media }: Scene) => JSON.stringify(body).includes(media.name);
export const showsMention = ({ items }: Sent['body'], { owner }: Scene) =>
  items.user_definition.some(({ id }: { id: number }) => id === owner.id);

/** A request about the post itself: a hidden post responds like one that does not exist. */
export function aboutPost(input: VisibilityCase['input'], shows?: VisibilityCase['shows']): VisibilityCase {
  const absent = { id: 1, item_id: 1, type: 'post', text: 'x' };
  const row = { what: 'the post', input, expected: { hidden: notFound }, absent };
  return shows === undefined ? row : { ...row, shows };
}

/** A request that only the creator of the record may send. `others`: the parameters besides the id. */
export function aboutOwn(
  what: string,
  input: VisibilityCase['input'],
  others: Readonly<Record<string, unknown>> = {},
): VisibilityCase {
  const expected = { approved: notOwner, muting: notOwner, hidden: notFound };
  return { what, input, expected, absent: { ...others, id: 1 } };
}

/** A request that the creator of the record, the approved follower, and the author of the post may send. */
export function aboutGuest(what: string, input: VisibilityCase['input']): VisibilityCase {
  return { what, input, expected: { muting: notOwner, hidden: notFound }, absent: { id: 1 } };
}

/** A report of a record, which everybody may send who can see it, except its creator. */
export function aboutOthers(input: VisibilityCase['input']): VisibilityCase {
  const report = (item: Readonly<Record<string, unknown>>) => ({ ...item, reason: 'hate' });
  return {
    what: 'a report of the record',
    input: (scene) => report(input(scene)),
    expected: { self: malformed, hidden: notFound },
  };
}

/** A list of the protected account, which only approved followers may read. */
export function aboutAccount(
  what: string,
  input: VisibilityCase['input'],
  shows: NonNullable<VisibilityCase['shows']>,
): VisibilityCase {
  return { what, input, expected: { hidden: protectedAccount, behindBlock: notFound }, shows };
}

/** A request that succeeds for everybody, whose response hides parts from viewers without permission. */
export function filtered(
  what: string,
  input: VisibilityCase['input'],
  shows: NonNullable<VisibilityCase['shows']>,
): VisibilityCase {
  return { what, input, expected: { hidden: ok }, shows };
}

/** A request whose response never shows posts or media (D25: lists of followers stay readable). */
export function open(input: VisibilityCase['input'] = () => ({}), outcome = ok): VisibilityCase {
  const expected = { self: outcome, approved: outcome, muting: outcome, hidden: outcome };
  return { what: 'nothing that is hidden', input, expected };
}

/** A request about the account itself, which does not exist for those behind a block. */
export function openWithoutBlock(what: string, input: VisibilityCase['input'], self: Outcome = ok): VisibilityCase {
  return { what, input, expected: { self, hidden: ok, behindBlock: notFound } };
}
