import { z } from 'zod';

import { codePointLength } from './code-points.ts';
import { documentAs } from './document-as.ts';

/** Ids are 1…2^53−1; on the wire an integer or a string of its digits (decisions D10). */
const maxId = Number.MAX_SAFE_INTEGER;

const digits = /^(?:0|[1-9]\d{0,15})$/;

/** An integer in `[min, max]`, given as a number or as a string of digits. Nothing else is converted. */
function integer(min: number, max: number) {
  const error = `must be an integer from ${String(min)} to ${String(max)}`;
  return z
    .union([z.number(), z.string().regex(digits)], { error })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, { error })
    .meta(documentAs({ type: ['integer', 'string'], minimum: min, maximum: max, pattern: digits.source }));
}

/** The id of a record; `record` says in the documentation of which. */
export function idParameter(record = 'the record') {
  return integer(1, maxId).meta({
    description: `Id of ${record}: an integer, or its digits as a string.`,
    examples: [114582761947136],
  });
}

const maxCount = 100;
const defaultCount = 70;
const maxListNumber = 2 ** 31;

/** `count`: how many records a page holds; above 100 is lowered to 100 (decisions D26). */
export function countParameter() {
  return integer(1, maxListNumber)
    .transform((count) => Math.min(count, maxCount))
    .meta({ description: `How many records a page holds; above ${String(maxCount)} is lowered to it.`, examples: [20] })
    .default(defaultCount);
}

/** `page`: 1-based; missing or 0 is the first page (decisions D26). */
export function pageParameter() {
  return integer(0, maxListNumber)
    .transform((page) => Math.max(page, 1))
    .meta({ description: 'Which page, from 1 on; 0 is the first as well.', examples: [1] })
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
    )
    .meta({
      description: `Text of 1 to ${String(max)} characters (code points); white space around it is taken away first.`,
      ...documentAs({ minLength: 1, maxLength: max }),
    });
}

/** Text of at most `max` code points, kept as it is; it may be empty. */
export function freeTextParameter(max: number) {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => codePointLength(text) <= max, { error: `must be at most ${String(max)} characters long` })
    .meta({
      description: `Text of at most ${String(max)} characters (code points); it may be empty.`,
      ...documentAs({ maxLength: max }),
    });
}

const maxLanguageLength = 35;

/** A language tag such as `en` or `de-AT` (BCP 47), at most 35 characters (RFC 5646 §4.4.1); in its canonical form. */
export function languageParameter() {
  return z
    .string({ error: 'must be a string' })
    .transform((tag, context) => {
      const canonical = tag.length <= maxLanguageLength ? canonicalLanguage(tag) : undefined;
      if (canonical !== undefined && canonical.length <= maxLanguageLength) return canonical;
      context.addIssue({ code: 'custom', message: 'must be a language tag such as en or de-AT' });
      return z.NEVER;
    })
    .meta({
      description: 'Language tag (BCP 47).',
      examples: ['de-AT'],
      ...documentAs({ minLength: 2, maxLength: maxLanguageLength }),
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
  return z
    .union([z.boolean(), z.number(), z.string()])
    .transform((value, context) => {
      const flag = flags.get(value);
      if (flag !== undefined) return flag;
      context.addIssue({ code: 'custom', message: 'must be true, 1, false or 0' });
      return z.NEVER;
    })
    .meta({
      description: 'Yes: `true` or 1; no: `false` or 0.',
      examples: [true],
      ...documentAs({ type: ['boolean', 'integer', 'string'], enum: [...flags.keys()] }),
    });
}

const maxCursorLength = 512;

/** A place in a list, as an earlier answer gave it; what is in it is for its reader to check (decisions D26). */
export function cursorParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be a cursor of an earlier answer' })
    .max(maxCursorLength, { error: 'must be a cursor of an earlier answer' })
    .meta({ description: 'Where to go on: `next` or `prev` of an earlier answer.' });
}

/** `type` of the record that `item_id` names: a post (specification, Comments and Likes). */
function itemTypeParameter() {
  return z
    .literal('post', { error: 'must be post' })
    .meta({ description: 'What `item_id` names: always `post`.', examples: ['post'] });
}

/** The post that a comment, like or repost belongs to. */
export const itemParameters = { item_id: idParameter('the post'), type: itemTypeParameter() };

const maxScopeLength = 200;
const scopeWord = /^[a-z]+(?::[a-z]+)?$/;

/** Scopes that stay, separated by spaces; each once, at least one. */
export function keptScopesParameter() {
  const error = 'must be scopes, separated by spaces';
  return z
    .string({ error: 'must be a string' })
    .max(maxScopeLength, { error })
    .transform((text, context) => {
      const words = [...new Set(text.split(' ').filter((word) => word !== ''))];
      if (words.length > 0 && words.every((word) => scopeWord.test(word))) return words;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description: 'Scopes that stay, separated by spaces: one or more of those that the grant has.',
      examples: ['users posts'],
      ...documentAs({ minLength: 1, maxLength: maxScopeLength }),
    });
}

/** A username: letters, digits and underscore, 5 to 32 of them (specification, Limits). */
export function usernameParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_]{5,32}$/, { error: 'must be 5 to 32 letters, digits or underscores' })
    .meta({
      description: 'Username: 5 to 32 letters, digits and underscores; upper and lower case are one.',
      examples: ['ada_lovelace'],
    });
}

const maxEmailLength = 254;

/** An e-mail address as an HTML e-mail field takes it, at most 254 characters (RFC 5321 §4.5.3.1). */
export function emailParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(z.regexes.html5Email, { error: 'must be an e-mail address' })
    .max(maxEmailLength, { error: `must be at most ${String(maxEmailLength)} characters long` })
    .meta({
      description: 'E-mail address.',
      examples: ['ada@example.org'],
      ...documentAs({ format: 'email', maxLength: maxEmailLength }, ['pattern']),
    });
}

/** A password of 6 to 256 code points, any characters (decisions D42). */
export function passwordParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((password) => codePointLength(password) >= 6, { error: 'must be at least 6 characters long' })
    .refine((password) => codePointLength(password) <= 256, { error: 'must be at most 256 characters long' })
    .meta({
      description: 'Password of 6 to 256 characters, any of them.',
      examples: ['correct horse'],
      ...documentAs({ format: 'password', minLength: 6, maxLength: 256 }),
    });
}
