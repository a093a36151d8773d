/** The parameter `query` of a search for accounts (decisions D138). */
import { z } from 'zod';

import { codePointLength } from './code-points.ts';
import { documentAs } from './document-as.ts';

const maxLength = 100;
const maxWords = 10;

/** A search: words of names, or `@` and the start of a username. */
export function accountSearchParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => codePointLength(text) <= maxLength, {
      error: `must be at most ${String(maxLength)} characters long`,
      abort: true,
    })
    .refine((text) => /[\p{L}\p{N}_]/u.test(text), { error: 'must have a letter or a digit' })
    .refine((text) => text.trim().split(/\s+/u).length <= maxWords, {
      error: `must have at most ${String(maxWords)} words`,
    })
    .meta({
      description: `Words of the name, or starts of them, in any order; or \`@\` and the start of a username. At most ${String(maxLength)} characters and ${String(maxWords)} words.`,
      examples: ['ada lov'],
      ...documentAs({ minLength: 1, maxLength }),
    });
}
