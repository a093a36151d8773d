import { z } from 'zod';

import { codePointLength } from './code-points.ts';

/** Ids are 1…2^53−1; on the wire an integer or a string of its digits (decisions D10). */
const maxId = Number.MAX_SAFE_INTEGER;

const digits = /^(?:0|[1-9]\d{0,15})$/;

/** An integer in `[min, max]`, given as a number or as a string of digits. Nothing else is converted. */
function integer(min: number, max: number) {
  const error = `must be an integer from ${String(min)} to ${String(max)}`;
  return z
    .union([z.number(), z.string().regex(digits)], { error })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, { error });
}

/** The id of a record. */
export function idParameter() {
  return integer(1, maxId);
}

const maxCount = 100;
const defaultCount = 70;
const maxListNumber = 2 ** 31;

/** `count`: how many records a page holds; above 100 is lowered to 100 (decisions D26). */
export function countParameter() {
  return integer(1, maxListNumber)
    .transform((count) => Math.min(count, maxCount))
    .default(defaultCount);
}

/** `page`: 1-based; missing or 0 is the first page (decisions D26). */
export function pageParameter() {
  return integer(0, maxListNumber)
    .transform((page) => Math.max(page, 1))
    .default(1);
}

/** Text of 1 to `max` code points once leading and trailing white space is gone (decisions D29b). */
export function textParameter(max: number) {
  return z
    .string({ error: 'must be a string' })
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, { error: 'must not be blank', abort: true })
        .refine((text) => codePointLength(text) <= max, {
          error: `must be at most ${String(max)} characters long`,
        }),
    );
}

/** Text of at most `max` code points, kept as it is; it may be empty. */
export function freeTextParameter(max: number) {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => codePointLength(text) <= max, { error: `must be at most ${String(max)} characters long` });
}

const maxLanguageLength = 35;

/** A language tag such as `en` or `de-AT` (BCP 47), at most 35 characters (RFC 5646 §4.4.1); in its canonical form. */
export function languageParameter() {
  return z.string({ error: 'must be a string' }).transform((tag, context) => {
    const canonical = tag.length <= maxLanguageLength ? canonicalLanguage(tag) : undefined;
    if (canonical !== undefined && canonical.length <= maxLanguageLength) return canonical;
    context.addIssue({ code: 'custom', message: 'must be a language tag such as en or de-AT' });
    return z.NEVER;
  });
}

function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

const flags = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
]);

/** `true` or `1`, `false` or `0`; strings of them in forms (decisions, Details 4). */
export function flagParameter() {
  return z.union([z.boolean(), z.number(), z.string()]).transform((value, context) => {
    const flag = flags.get(value);
    if (flag !== undefined) return flag;
    context.addIssue({ code: 'custom', message: 'must be true, 1, false or 0' });
    return z.NEVER;
  });
}

const maxCursorLength = 512;

/** A place in a list, as an earlier answer gave it; what is in it is for its reader to check (decisions D26). */
export function cursorParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be a cursor of an earlier answer' })
    .max(maxCursorLength, { error: 'must be a cursor of an earlier answer' });
}

/** `type` of the record that `item_id` names: a post (specification, Comments and Likes). */
export function itemTypeParameter() {
  return z.literal('post', { error: 'must be post' });
}

/** A username: letters, digits and underscore, 5 to 32 of them (specification, Limits). */
export function usernameParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_]{5,32}$/, { error: 'must be 5 to 32 letters, digits or underscores' });
}

const maxEmailLength = 254;

/** An e-mail address as an HTML e-mail field takes it, at most 254 characters (RFC 5321 §4.5.3.1). */
export function emailParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(z.regexes.html5Email, { error: 'must be an e-mail address' })
    .max(maxEmailLength, { error: `must be at most ${String(maxEmailLength)} characters long` });
}

/** A password of 6 to 256 code points, any characters (decisions D42). */
export function passwordParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((password) => codePointLength(password) >= 6, { error: 'must be at least 6 characters long' })
    .refine((password) => codePointLength(password) <= 256, { error: 'must be at most 256 characters long' });
}
