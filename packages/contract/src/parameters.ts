import { z } from 'zod';

import { codePointLength } from './code-points.ts';
import { documentAs } from './document-as.ts';
import { toEmailAddress } from './email-address.ts';
import type { ParameterProblem } from './errors.ts';
import { hashtagText } from './hashtag.ts';
import { findNameTextProblem, isPrintableText, nameTextProblems } from './name-text.ts';

/** Ids are 1…2^53−1; on the wire they are integers or strings of digits (decisions D10). */
const maxId = Number.MAX_SAFE_INTEGER;

const digits = /^(?:0|[1-9]\d{0,15})$/;

/** An integer in `[min, max]`, sent as a number or as a string of digits. Nothing else is converted. */
function integer(min: number, max: number, error = `must be an integer from ${String(min)} to ${String(max)}`) {
  return z
    .union([z.number(), z.string().regex(digits, { error })], { error })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, { error })
    .meta(documentAs({ type: 'integer', minimum: min, maximum: max }));
}

/** The id of a record; `record` names it in the documentation. */
export function idParameter(record = 'the record') {
  return integer(1, maxId, 'must be a positive integer').meta({
    description: `Id of ${record}.`,
    examples: [114582761947136],
  });
}

/** The version of a record, so that nobody overwrites a change that they have not seen. */
export function versionParameter(record: string) {
  return integer(1, 2 ** 31 - 1).meta({ description: `The \`version\` of ${record}.`, examples: [1] });
}

const maxCount = 100;
const defaultCount = 70;
const maxListNumber = 2 ** 31;

/** `count`: the number of records on a page; values above 100 count as 100 (decisions D26). */
export function countParameter() {
  return integer(0, maxListNumber)
    .transform((count) => Math.min(Math.max(count, 1), maxCount))
    .meta({
      description: `Number of records on a page. 0 counts as 1; values above ${String(maxCount)} count as ${String(maxCount)}.`,
      examples: [20],
    })
    .default(defaultCount);
}

/** `page`: starts at 1; a missing page or 0 selects the first page (decisions D26). */
export function pageParameter() {
  return integer(0, maxListNumber)
    .transform((page) => Math.max(page, 1))
    .meta({ description: 'Page number, starting at 1; 0 also selects the first page.', examples: [1] })
    .default(1);
}

/** A post has at most 400 characters. In UTF-16 code units, so that no text can take long. */
const maxHashtagLength = 800;

function isAtMost(max: number): (text: string) => boolean {
  return (text) => codePointLength(text) <= max;
}

const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB]/u;

/** Whether a reader sees anything of a text. */
function isVisible(text: string): boolean {
  return visible.test(text);
}

/** Nothing else is checked then: Unicode properties of 64 KB take up to 50 ms. */
function tooLong(max: number) {
  return { error: `must be at most ${String(max)} characters long`, abort: true };
}

/** Text of 1 to `max` code points, after leading and trailing white space is removed (decisions D29b). */
export function textParameter(max: number) {
  return z
    .string({ error: 'must be a string' })
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, { error: 'must not be blank', abort: true })
        .refine(isAtMost(max), tooLong(max))
        .refine(isVisible, { error: 'must not be blank', abort: true }),
    )
    .meta({
      description: `Text of 1 to ${String(max)} characters (code points). Leading and trailing white space is removed first.`,
      ...documentAs({ minLength: 1, maxLength: max }),
    });
}

/** A hashtag, or the start of one: letters, combining marks, digits and underscores (decisions D13), with or without `#`. */
export function hashtagParameter(what: string) {
  const error = 'must consist of letters, digits and underscores';
  return z
    .string({ error })
    .max(maxHashtagLength, { error: `must be at most ${String(maxHashtagLength)} characters long`, abort: true })
    .transform((text) => text.trim().replaceAll(/^#|[\u200C\u200D]+$/g, ''))
    .pipe(z.string().regex(new RegExp(`^${hashtagText}$`, 'u'), { error }))
    .meta({
      description: `${what}: letters, digits and underscores. A leading \`#\` is ignored.`,
      examples: ['linnet'],
      ...documentAs({ minLength: 1, maxLength: maxHashtagLength }),
    });
}

/** A name of 1 to `max` code points, trimmed: one line, no invisible characters, no mix of scripts that look alike. */
export function nameParameter(max: number) {
  return textParameter(max)
    .superRefine((name, context) => {
      const problem = findNameTextProblem(name);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: nameTextProblems[problem] });
    })
    .meta({
      description: `Name of 1 to ${String(max)} characters (code points), on one line. Leading and trailing white space is removed first. Invisible characters, check marks, and mixes of Latin with Cyrillic or Greek are rejected, as are names of the service.`,
      ...documentAs({ minLength: 1, maxLength: max }),
    });
}

/** Text of at most `max` code points, stored unchanged; it may be empty and have line breaks. */
export function freeTextParameter(max: number) {
  return z
    .string({ error: 'must be a string' })
    .refine(isAtMost(max), tooLong(max))
    .refine(isPrintableText, {
      error: 'must not contain control characters, or invisible ones other than marks of direction and joiners',
    })
    .meta({
      description: `Text of at most ${String(max)} characters (code points). May be empty. Control characters other than line breaks are rejected, and invisible ones other than marks of direction and joiners.`,
      ...documentAs({ maxLength: max }),
    });
}

/** Why a person wants an account. */
export function registrationReasonParameter() {
  return freeTextParameter(500).meta({
    description: 'Why the person wants an account, for the operator who approves it. At most 500 characters.',
    examples: ['I build bridges and want to write about them.'],
  });
}

const maxLanguageLength = 35;

/** A language tag such as `en` or `de-AT` (BCP 47) of at most 35 characters (RFC 5646 §4.4.1), in canonical form. */
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
      description: 'Language tag (BCP 47), such as `en` or `de-AT`.',
      examples: ['de-AT'],
      ...documentAs({ minLength: 2, maxLength: maxLanguageLength, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }),
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

/** `true` or `1`, `false` or `0`; in forms as strings (decisions, Details 4). */
export function flagParameter() {
  const error = 'must be true, 1, false or 0';
  return z
    .union([z.boolean(), z.number(), z.string()], { error })
    .transform((value, context) => {
      const flag = flags.get(value);
      if (flag !== undefined) return flag;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description: '`true` for yes, `false` for no. 1 and 0 mean the same.',
      examples: [true],
      ...documentAs({ type: 'boolean' }),
    });
}

/** The end of something, after now: a date and time with an offset (RFC 3339). */
export function endParameter() {
  return z.iso
    .datetime({ offset: true, error: 'must be a date and time with a time zone, such as 2026-11-20T15:04:05Z' })
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() > Date.now(), { error: 'must be in the future' })
    .meta({
      description: 'When it ends: a date and time in the future, with a time zone (RFC 3339).',
      examples: ['2099-11-20T15:04:05Z'],
      ...documentAs({ type: 'string', format: 'date-time' }),
    });
}

const maxCursorLength = 512;

/** A cursor from an earlier response, opaque here; the handler decodes and checks it (decisions D26). */
export function cursorParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be a cursor from an earlier response' })
    .max(maxCursorLength, { error: 'must be a cursor from an earlier response' })
    .meta({ description: 'Where to continue: the `next` of an earlier response.' });
}

/** `type` of the record that `item_id` identifies: a post (specification, Comments and Likes). */
function itemTypeParameter() {
  return z
    .literal('post', { error: 'must be post' })
    .meta({ description: 'Type of the record that `item_id` identifies: always `post`.', examples: ['post'] });
}

/** The post that a comment, like or repost belongs to. */
export const itemParameters = { item_id: idParameter('the post'), type: itemTypeParameter() };

/** A body has 64 KiB. */
const maxKeptLength = 60_000;
/** A grant collects the scopes of many consents, each for up to 4 registered APIs with 30 scopes. */
const maxKeptScopes = 1000;
/** A scope of our own API or of OpenID Connect; or the identifier of a registered API, `#`, and one of its scopes (RFC 6749 §3.3). */
const scopePattern = /^(?:[a-z]{1,32}(?::[a-z]{1,32})?|https?:\/\/[!$-[\]-~]{1,512}#[!#-[\]-~]{1,64})$/;

/** The scopes that a grant keeps, separated by spaces: at least one; duplicates are removed. */
export function keptScopesParameter() {
  const error = `must be 1 to ${String(maxKeptScopes)} scopes, separated by spaces`;
  return z
    .string({ error: 'must be a string' })
    .max(maxKeptLength, { error, abort: true })
    .transform((text, context) => {
      const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
      const isCounted = scopes.length > 0 && scopes.length <= maxKeptScopes;
      if (isCounted && scopes.every((scope) => scopePattern.test(scope))) return scopes;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description:
        'Scopes that the grant keeps, separated by spaces: one or more of its current scopes, as the list of grants shows them.',
      examples: ['users posts', 'users https://notes.example.com/mcp#notes:read'],
      ...documentAs({ minLength: 1, maxLength: maxKeptLength, pattern: '^[!#-[\\]-~]+( [!#-[\\]-~]+)*$' }),
    });
}

/** A username of 5 to 32 letters, digits and underscores (specification, Limits). */
export function usernameParameter() {
  return z
    .string({ error: 'must be a string' })
    .regex(/^[A-Za-z0-9_]{5,32}$/, { error: 'must be 5 to 32 letters, digits or underscores' })
    .meta({
      description: 'Username of 5 to 32 letters, digits and underscores, compared without regard to case.',
      examples: ['ada_lovelace'],
    });
}

const maxEmailLength = 254;

/** An e-mail address of at most 254 characters (RFC 5321 §4.5.3.1). */
export function emailParameter() {
  return z
    .string({ error: 'must be a string' })
    .max(maxEmailLength, { error: `must be at most ${String(maxEmailLength)} characters long`, abort: true })
    .transform((text, context) => {
      const address = toEmailAddress(text);
      if (address !== undefined) return address;
      context.addIssue({ code: 'custom', message: 'must be an e-mail address' });
      return z.NEVER;
    })
    .meta({
      description: 'E-mail address. An international domain is stored in its ASCII form.',
      examples: ['ada@example.org'],
      ...documentAs({ format: 'email', maxLength: maxEmailLength }),
    });
}

/** A password of 6 to 256 code points; all characters are allowed (decisions D42). */
export function passwordParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((password) => codePointLength(password) >= 6, { error: 'must be at least 6 characters long' })
    .refine((password) => codePointLength(password) <= 256, { error: 'must be at most 256 characters long' })
    .meta({
      description: 'Password of 6 to 256 characters. All characters are allowed.',
      examples: ['correct horse'],
      ...documentAs({ format: 'password', minLength: 6, maxLength: 256 }),
    });
}

const maxKeyLength = 255;

/** The header of writes, as OpenAPI describes it. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'Makes the request safe to retry: for a day, a request with the same key and the same parameters returns the stored response of the first one. 1 to 255 printable ASCII characters, unique per application and account.',
  schema: { type: 'string' as const, minLength: 1, maxLength: maxKeyLength, pattern: '^[ -~]+$' },
};

interface ParsedKey {
  readonly key: string;
  readonly problem?: ParameterProblem;
}

/** The key of a request: one header. Quotes are part of it. */
export function parseIdempotencyKey([key = '', ...others]: readonly string[] = []): ParsedKey {
  const isValid = key.length <= maxKeyLength && new RegExp(idempotencyKey.schema.pattern).test(key);
  if (isValid && others.length === 0) return { key };
  const code = others.length > 0 ? 'repeated' : 'invalid';
  const detail = `must be a single header of 1 to ${String(maxKeyLength)} printable ASCII characters`;
  return { key, problem: { parameter: idempotencyKey.name, code, detail } };
}
