import { z } from 'zod';

import { documentAs } from './document-as.ts';

/** The fields that objects in responses share. */

/** The id of `record` in a response. */
export const idOf = (record: string) =>
  z
    .int()
    .min(1)
    .meta({ description: `Id of the ${record}.`, examples: [114582761947136] });
export const counterOf = (counted: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `Number of ${counted}.`, examples: [3] });
/** Our own views build these, so the format is documented but not validated in every response. */
export const urlOf = (target: string) => z.string().meta({ description: `URL of ${target}.`, format: 'uri' });

export const created = z.string().meta({
  description: 'Creation time in UTC. Always in English.',
  examples: ['Fri, Nov 20, 2026 3:04 PM'],
});
export const createdAt = z.iso.datetime().meta({
  description: 'Creation time in UTC.',
  examples: ['2026-11-20T15:04:05.123Z'],
  ...documentAs({}, ['pattern']), // `format` implies it
});

/** When a text was edited last; absent if it never was. */
export const edited = created
  .optional()
  .meta({ description: 'When its text was edited last, in UTC. Always in English. Absent if it never was.' });
export const editedAt = createdAt.optional().meta({ description: 'When its text was edited last, in UTC.' });

export const imported = z.literal(true).optional().meta({
  description: 'Written elsewhere at that time. Absent otherwise.',
});

export const bitSchema = z.union([z.literal(0), z.literal(1)]);

export const counterSchema = z.int().min(0);

export const countResponse = z.object({ count: counterSchema });

export const succeededResponse = z.object({ status: z.literal('succeeded'), message: z.string() });
