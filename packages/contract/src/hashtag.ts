import { z } from 'zod';

import { shapingJoiner } from './name-text.ts';
import { bitSchema } from './object-fields.ts';

/**
 * Source of a pattern: the text of a hashtag without `#`. Letters, combining marks, digits and underscores (decisions D13), and joiners
 * between letters that they shape (UAX 31). The marks of emoji, as in 1️⃣, are none of these.
 */
export const hashtagText = String.raw`(?:[\p{L}\p{N}_]|(?!\p{Emoji_Component})\p{M}|${shapingJoiner}(?=[\p{L}\p{M}]))+`;

/** An account can follow so many hashtags. */
export const maxFollowedHashtags = 100;

export const hashtagSchema = z
  .object({
    text: z.string().meta({ description: 'Without the # sign, in lower case.', examples: ['linnet'] }),
    accounts: z
      .int()
      .min(0)
      .meta({
        description: 'Number of accounts that used it in the last 48 hours. 0 if it is not trending.',
        examples: [12],
      }),
    posts: z
      .int()
      .min(0)
      .meta({ description: 'Number of their posts with it. 0 if it is not trending.', examples: [17] }),
    viewer: z
      .object({ following: bitSchema.meta({ description: '1 if the acting account follows it.' }) })
      .optional()
      .meta({ description: 'What the acting account has to do with it. Absent without one.' }),
  })
  .meta({ id: 'Hashtag', description: 'A hashtag and how much it is used.' });
export type Hashtag = z.infer<typeof hashtagSchema>;
