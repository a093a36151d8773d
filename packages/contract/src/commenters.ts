import { z } from 'zod';

/** Who may comment on a post, besides its author. */
export const commenters = ['everyone', 'followers', 'mentioned'] as const;
export type Commenters = (typeof commenters)[number];

const meanings =
  '`everyone`: all who can see the post. `followers`: followers of its author, and accounts that the post mentions. `mentioned`: only accounts that the post mentions.';

/** Who may quote posts of an account, besides itself. */
const quoters = ['everyone', 'followers', 'nobody'] as const;
export type Quoters = (typeof quoters)[number];

export const quotersSchema = z.enum(quoters, { error: 'must be everyone, followers or nobody' }).meta({
  description:
    'Who can quote posts of the account, besides itself. Nobody else quotes those of a protected account. Quotes that exist stay.',
  examples: ['followers'],
});

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
