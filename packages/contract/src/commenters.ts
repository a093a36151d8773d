import { z } from 'zod';

/** Who may comment on a post, besides its author. */
export const commenters = ['everyone', 'followers', 'mentioned'] as const;
export type Commenters = (typeof commenters)[number];

const meanings =
  '`everyone`: all who can see the post. `followers`: followers of its author, and accounts that the post mentions. `mentioned`: only accounts that the post mentions.';

/** The member `commenters` of a post. */
export const commentersSchema = z
  .enum(commenters)
  .meta({ description: `Who can comment on the post, besides its author. ${meanings}`, examples: ['everyone'] });

/** The settings of a post that its author can change later. */
export function commentersParameter() {
  return z
    .enum(commenters, { error: 'must be everyone, followers or mentioned' })
    .meta({ description: `Who can comment, besides the author. ${meanings}`, examples: ['followers'] });
}
