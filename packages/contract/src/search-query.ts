/** The parameter `query` of a search for posts (decisions D135). */
import { z } from 'zod';

import { codePointLength } from './code-points.ts';
import { documentAs } from './document-as.ts';

/** What a post must have to be found. */
export interface SearchQuery {
  /** Each must be in the text: a word, or words that follow each other. */
  readonly phrases: readonly string[];
  /** None may be in the text. */
  readonly excluded: readonly string[];
  /** The username of the author. */
  readonly author: string | undefined;
  /** Milliseconds since 1970: not older than this, ... */
  readonly since: number | undefined;
  /** ... and older than this. */
  readonly before: number | undefined;
  readonly hasMedia: boolean;
}

const maxLength = 200;
const maxTerms = 20;
const day = 86_400_000;

/** `-`, then a text in quotation marks or without white space. The closing mark of the last one may be missing. */
const termPattern = /(?<minus>-?)(?:"(?<quoted>[^"]*)(?:"|$)|(?<plain>[^\s"]+))/gu;
const operatorPattern = /^(?<name>from|since|until|has):(?<value>.*)$/iu;
const hasWord = /[\p{L}\p{N}]/u;

interface Term {
  readonly text: string;
  readonly isExcluded: boolean;
  readonly operator?: { readonly name: string; readonly value: string } | undefined;
}

function toTerms(text: string): readonly Term[] {
  return [...text.replace(/[“”„«»]/gu, '"').matchAll(termPattern)].map(({ groups }) => {
    const { minus, quoted, plain } = groups ?? {};
    const { name, value } = operatorPattern.exec(plain ?? '')?.groups ?? {};
    const operator = name === undefined || value === undefined ? undefined : { name: name.toLowerCase(), value };
    return { text: quoted ?? plain ?? '', isExcluded: minus === '-', operator };
  });
}

/** The start of a day in UTC, in milliseconds. Undefined: there is no such day. */
function toDay(value: string): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? time : undefined;
}

function readAuthor(value: string): Partial<SearchQuery> | string {
  const author = value.replace(/^@/, '');
  return /^[A-Za-z0-9_]{5,32}$/.test(author) ? { author } : 'has from: without a username';
}

/** What the value of an operator asks for, or what is wrong with it. */
const readers: Readonly<Record<string, (value: string) => Partial<SearchQuery> | string>> = {
  from: readAuthor,
  has: (value) => (value.toLowerCase() === 'media' ? { hasMedia: true } : 'has has: without media'),
  since: (value) => {
    const since = toDay(value);
    return since === undefined ? 'has since: without a date such as 2026-11-20' : { since };
  },
  until: (value) => {
    const last = toDay(value);
    return last === undefined ? 'has until: without a date such as 2026-11-20' : { before: last + day };
  },
};

function readOperator({ operator, isExcluded }: Term): Partial<SearchQuery> | string {
  if (isExcluded) return 'can exclude only words and phrases';
  return readers[operator?.name ?? '']?.(operator?.value ?? '') ?? {};
}

/** Reads the text of a search. Returns what is wrong with it as a string. */
export function parseSearchQuery(text: string): SearchQuery | string {
  const terms = toTerms(text);
  if (terms.length > maxTerms) return `must have at most ${String(maxTerms)} words and phrases`;
  const operators = terms.filter(({ operator }) => operator !== undefined).map(readOperator);
  const problem = operators.find((read) => typeof read === 'string');
  if (problem !== undefined) return problem;
  const phrases = terms.filter((term) => term.operator === undefined && hasWord.test(term.text));
  let query: SearchQuery = {
    phrases: phrases.filter(({ isExcluded }) => !isExcluded).map(({ text: phrase }) => phrase),
    excluded: phrases.filter(({ isExcluded }) => isExcluded).map(({ text: phrase }) => phrase),
    ...{ author: undefined, since: undefined, before: undefined, hasMedia: false },
  };
  for (const read of operators) query = typeof read === 'string' ? query : { ...query, ...read };
  const finds = query.phrases.length > 0 || query.author !== undefined || query.hasMedia;
  return finds ? query : 'must have a word, a phrase, from: or has:media';
}

/** A search: words, phrases in quotation marks, operators. */
export function searchQueryParameter() {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => codePointLength(text) <= maxLength, {
      error: `must be at most ${String(maxLength)} characters long`,
      abort: true,
    })
    .transform((text, context) => {
      const query = parseSearchQuery(text);
      if (typeof query !== 'string') return query;
      context.addIssue({ code: 'custom', message: query });
      return z.NEVER;
    })
    .meta({
      description: `Words that the text must have, in any order. \`"two words"\` must follow each other, \`-word\` must be absent. \`from:\` and a username, \`since:\` and \`until:\` with a day in UTC, and \`has:media\` narrow the search. At most ${String(maxLength)} characters and ${String(maxTerms)} words and phrases.`,
      examples: ['linnet "wild bird" -cage from:ada_lovelace since:2026-11-01 has:media'],
      ...documentAs({ minLength: 1, maxLength }),
    });
}
