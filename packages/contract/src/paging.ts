import { z } from 'zod';

import { documentAs } from './document-as.ts';
import { countParameter, pageParameter } from './parameters.ts';

/**
 * A position in a list that is sorted newest first: the records after `id` in the given direction. The
 * record itself may have been deleted.
 */
export interface Cursor {
  readonly direction: 'older' | 'newer';
  readonly id: number;
}

const cursorPattern = /^[A-Za-z0-9_-]{4,64}$/;
const spelling = /^(older|newer) ([1-9]\d{0,15})$/;

/** The opaque text of a cursor: base64url (RFC 4648 §5) without padding. */
export function encodeCursor({ direction, id }: Cursor): string {
  return btoa(`${direction} ${String(id)}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** `undefined` for every text that `encodeCursor` does not produce. */
export function decodeCursor(text: string): Cursor | undefined {
  if (!cursorPattern.test(text)) return undefined;
  const [, direction, digits] = spelling.exec(decodeBase64Url(text)) ?? [];
  const id = Number(digits);
  if (!Number.isSafeInteger(id)) return undefined;
  const cursor = { direction: direction === 'newer' ? direction : 'older', id } as const;
  return encodeCursor(cursor) === text ? cursor : undefined;
}

function decodeBase64Url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** `cursor`: opaque, from `next` or `prev` of an earlier response (decisions D26). */
function cursorParameter() {
  const error = 'must be the `next` or `prev` of an earlier response';
  return z
    .string({ error })
    .transform((text, context) => {
      const cursor = decodeCursor(text);
      if (cursor !== undefined) return cursor;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description: 'Where to continue: `next` or `prev` of an earlier response. `page` is then ignored.',
      ...documentAs({ minLength: 4, maxLength: 64, pattern: cursorPattern.source }),
    });
}

/** The parameters of every list. With a `cursor`, `page` is ignored. */
export const pagingParameters = {
  count: countParameter(),
  page: pageParameter(),
  cursor: cursorParameter().optional(),
};

/** `order`: which way a list reads (decisions D182). */
export function orderParameter() {
  return z
    .enum(['newest', 'oldest'], { error: 'must be newest or oldest' })
    .default('newest')
    .meta({ description: 'Which records come first.', examples: ['oldest'] });
}

/** The response of every list: `next` leads to older records, `prev` to newer ones, which need not exist yet. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    total: z.int().min(0).meta({
      description: 'Number of records in the list that the caller may see. Some lists contain only the latest 3000.',
    }),
    count: z.int().min(0).meta({ description: 'Number of records on this page.' }),
    items: z.array(item),
    next: z
      .string()
      .optional()
      .meta({ description: '`cursor` of the following page, which has older records. Absent on the last page.' }),
    prev: z.string().optional().meta({
      description: '`cursor` of newer records, also of those that do not exist yet. Absent if the page is empty.',
    }),
  });
}
