/** Parts that several responses share. */
import { z } from 'zod';

export const bitSchema = z.union([z.literal(0), z.literal(1)]);

export const counterSchema = z.int().min(0);

export const countResponse = z.object({ count: counterSchema });

export const succeededResponse = z.object({ status: z.literal('succeeded'), message: z.string() });

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
