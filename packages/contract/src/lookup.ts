/** The responses of look-ups of several records. */
import { z } from 'zod';

import { counterSchema, idOf } from './object-fields.ts';

export const missingPostSchema = z
  .object({ objectType: z.literal('post').meta({ description: 'Always `post`.' }), id: idOf('post') })
  .meta({ id: 'MissingPost', description: 'A post that was asked for and does not exist, or is hidden.' });

export const missingAccountSchema = z
  .object({
    objectType: z.literal('account').meta({ description: 'Always `account`.' }),
    id: idOf('account').optional(),
    username: z
      .string()
      .optional()
      .meta({ description: 'As it was asked for, if it was asked for by username.', examples: ['ada_lovelace'] }),
  })
  .meta({ id: 'MissingAccount', description: 'An account that was asked for and does not exist.' });

/** The response of a look-up: the records in the order asked, and what was asked for and not found. */
export function lookupOf<Item extends z.ZodType, Missing extends z.ZodType>(item: Item, missing: Missing) {
  return z.object({
    count: counterSchema.meta({ description: 'Number of records in `items`.' }),
    items: z.array(item).meta({ description: 'The records that were found, in the order asked, each once.' }),
    missing: z
      .array(missing)
      .meta({ description: 'What does not exist or is hidden from the caller, in the order asked.' }),
  });
}
