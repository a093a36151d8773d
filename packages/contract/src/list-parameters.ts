import { z } from 'zod';

import { documentAs } from './document-as.ts';
import { idParameter, usernameParameter } from './parameters.ts';

/** The most records that one request can look up. */
const maxLookedUp = 100;

/** Values separated by commas, as `style: form` without `explode` writes an array. Each is parsed by `one`. */
function listParameter<Value>(one: z.ZodType<Value>, named: string, items: Readonly<Record<string, unknown>>) {
  const error = `must be 1 to ${String(maxLookedUp)} ${named}, separated by commas`;
  return z
    .string({ error })
    .transform((text, context) => {
      const parts = text.split(',');
      const values = parts.length > maxLookedUp ? [] : parts.flatMap((part) => one.safeParse(part).data ?? []);
      if (values.length === parts.length) return values;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      ...documentAs({ type: 'array', items, minItems: 1, maxItems: maxLookedUp }),
      param: { style: 'form', explode: false },
    });
}

/** One or more of the names `known`, separated by commas; a name that is repeated counts once. */
export function nameListParameter<Name extends string>(known: readonly [Name, ...Name[]]) {
  const error = `must be one or more of ${known.join(', ')}, separated by commas`;
  const items = { type: 'string', enum: [...known] };
  return z
    .string({ error })
    .transform((text, context) => {
      const named = new Set(text.split(','));
      const names = known.filter((name) => named.has(name));
      if (names.length === named.size) return names;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      ...documentAs({ type: 'array', items, minItems: 1, maxItems: known.length }),
      param: { style: 'form', explode: false },
    });
}

/** Ids of `records`, separated by commas. */
export function idListParameter(records: string) {
  return listParameter(idParameter(), 'positive integers', {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }).meta({
    description: `Ids of ${records}, separated by commas: at most ${String(maxLookedUp)}.`,
    examples: [[114582761947136, 114582774874115]],
  });
}

/** Usernames, separated by commas. */
export function usernameListParameter() {
  const items = { type: 'string', pattern: '^[A-Za-z0-9_]{5,32}$' };
  return listParameter(usernameParameter(), 'usernames', items).meta({
    description: `Usernames, separated by commas: at most ${String(maxLookedUp)}. Compared without regard to case.`,
    examples: [['ada_lovelace', 'grace_hopper']],
  });
}
