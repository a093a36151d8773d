import { z } from 'zod';

import { countParameter, pageParameter } from './parameters.ts';

/**
 * A place in a list that is newest first: what comes after the record `id` when walking towards
 * older or newer records. The record itself need not exist any more.
 */
export interface Cursor {
  readonly direction: 'older' | 'newer';
  readonly id: number;
}

const spelling = /^(older|newer) ([1-9]\d{0,15})$/;

/** The opaque text of a cursor: base64url (RFC 4648 §5) without padding. */
export function encodeCursor({ direction, id }: Cursor): string {
  return btoa(`${direction} ${String(id)}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** `undefined` for everything that `encodeCursor` never gives. */
function decodeCursor(text: string): Cursor | undefined {
  if (!/^[A-Za-z0-9_-]{4,64}$/.test(text)) return undefined;
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

/** `cursor`: opaque, from `next` or `prev` of an earlier answer (decisions D26). */
function cursorParameter() {
  const error = 'must be the next or prev of an earlier answer';
  return z
    .string({ error })
    .transform((text, context) => {
      const cursor = decodeCursor(text);
      if (cursor !== undefined) return cursor;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ description: 'Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then.' });
}

/** What every list takes. With a `cursor`, `page` is not looked at. */
export const pagingParameters = {
  count: countParameter(),
  page: pageParameter(),
  cursor: cursorParameter().optional(),
};

/** What every list answers: `next` leads to older records, `prev` to newer ones; absent at the ends. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    total: z.int().min(0).meta({
      description: 'Records of the list that the caller may see; of some lists at most the latest 3000.',
    }),
    count: z.int().min(0).meta({ description: 'Records on this page.' }),
    items: z.array(item),
    next: z.string().optional().meta({ description: '`cursor` of what is older; absent at the end.' }),
    prev: z.string().optional().meta({ description: '`cursor` of what is newer; absent at the start.' }),
  });
}
