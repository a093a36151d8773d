import { z } from 'zod';

import { counterOf } from './object-fields.ts';
import { accountSchema } from './objects.ts';

/** Only GET /users/suggested returns the additional field. */
export const suggestedAccountSchema = accountSchema
  .extend({
    suggestion: z
      .object({
        reason: z.enum(['followed', 'popular']).meta({
          description:
            '`followed`: accounts that the acting account follows follow it. `popular`: it posted lately and has many followers.',
        }),
        count: counterOf('accounts among those that the acting account follows that follow it'),
      })
      .meta({ description: 'Why it is suggested.' }),
  })
  .meta({ id: 'SuggestedAccount', description: 'An account that the acting account may want to follow.' });
export type SuggestedAccount = z.infer<typeof suggestedAccountSchema>;
