import { z } from 'zod';

import { codePointLength } from './code-points.ts';
import { created, createdAt, idOf } from './object-fields.ts';
import { documentAs } from './document-as.ts';
import { textParameter } from './parameters.ts';

/** An account can have so many filters at a time. */
export const maxWordFilters = 100;

const maxLength = 100;

const matches = ['word', 'part'] as const;

const matchDescription = '`word`: only whole words. `part`: also within words.';

/** The text of a filter: it needs a letter or a digit. */
export function filterTextParameter() {
  return textParameter(maxLength)
    .refine((text) => /[\p{L}\p{N}]/u.test(text) || codePointLength(text) > maxLength, {
      error: 'must have a letter or a digit',
    })
    .meta({
      description:
        'A word, or words that follow each other. At most 100 characters. Case, width, accents and signs make no difference.',
      examples: ['spoiler'],
      ...documentAs({ minLength: 1, maxLength: 100 }),
    });
}

export function filterMatchParameter() {
  return z
    .enum(matches, { error: 'must be word or part' })
    .default('word')
    .meta({ description: matchDescription, examples: ['word'] });
}

export const wordFilterSchema = z
  .object({
    id: idOf('filter'),
    text: z.string().meta({ description: 'As it was added.', examples: ['spoiler'] }),
    match: z.enum(matches).meta({ description: matchDescription }),
    created,
    created_at: createdAt,
    ends: created
      .optional()
      .meta({ description: 'When the filter ends, in UTC. Always in English. Absent: it has no end.' }),
    ends_at: createdAt.optional().meta({ description: 'When the filter ends (RFC 3339).' }),
  })
  .meta({ id: 'WordFilter', description: 'A word or phrase that the acting account does not want to see.' });
export type WordFilter = z.infer<typeof wordFilterSchema>;

/** In the member `viewer` of posts and comments. */
export const filteredSchema = z
  .array(z.string())
  .optional()
  .meta({
    description:
      'The filters of the acting account that match the text, as they were added. Absent: none, or its own text.',
    examples: [['spoiler']],
  });
