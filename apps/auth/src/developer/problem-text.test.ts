import { describe, expect, test } from 'vitest';

import {
  ApplicationRefused,
  parseApplicationName,
  parseRedirectUris,
  parseScopes,
} from '../applications/application.ts';
import type { ApplicationProblem } from '../applications/application.ts';
import { redirectUriProblems } from '../applications/redirect-uri-policy.ts';
import type { RedirectUriProblem } from '../applications/redirect-uri-policy.ts';
import { catalogues } from '../i18n/messages.ts';
import { problemTexts } from './problem-text.ts';

const { en, de } = catalogues;

function problemOf(action: () => unknown): ApplicationProblem {
  try {
    action();
  } catch (error) {
    if (error instanceof ApplicationRefused) return error.problem;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a refused application', () => {
  test('tells the reason beside the field', () => {
    expect(
      problemTexts(
        en,
        problemOf(() => parseApplicationName(' ')),
      ),
    ).toEqual({ name: 'Enter a name.' });
    expect(
      problemTexts(
        de,
        problemOf(() => parseApplicationName('x'.repeat(61))),
      ),
    ).toEqual({
      name: 'Der Name darf höchstens 60 Zeichen haben.',
    });
    expect(
      problemTexts(
        en,
        problemOf(() => parseApplicationName('a\u202Eb')),
      ),
    ).toEqual({
      name: 'The name holds a character that cannot be shown.',
    });
    expect(
      problemTexts(
        en,
        problemOf(() => parseScopes(['x<\u202E'])),
      ),
    ).toEqual({ scope: 'There is no permission “x<”.' });
    const many = Array.from({ length: 21 }, (_, index) => `https://a.example/${String(index)}`);
    expect(
      problemTexts(
        en,
        problemOf(() => parseRedirectUris(many, 'public')),
      ),
    ).toEqual({
      redirect_uris: 'An application can have at most 20 redirect URIs.',
    });
    expect(
      problemTexts(
        de,
        problemOf(() => parseRedirectUris(['https://a.example/#b'], 'public')),
      ),
    ).toEqual({
      redirect_uris: 'https://a.example/#b hat ein Fragment. Lass das # und was darauf folgt weg.',
    });
  });

  test('names a long address by its beginning', () => {
    const long = `https://a.example/${'b'.repeat(3000)}`;
    const text =
      problemTexts(
        en,
        problemOf(() => parseRedirectUris([long], 'public')),
      )?.redirect_uris ?? '';
    expect(text).toMatch(/^https:\/\/a\.example\/b{101}… is longer than 2048 characters\.$/);
  });

  test('has nothing to say of its owner, who is signed in', () => {
    expect(problemTexts(en, { field: 'owner', problem: 'unknown', value: 'x' })).toBeUndefined();
  });
});

describe('each reason to refuse a redirect URI', () => {
  // The keys of a literal object of that type.
  const problems = Object.keys(redirectUriProblems) as RedirectUriProblem[];

  test.each(problems)('%s has its own sentence in both languages', (problem) => {
    for (const messages of [en, de]) {
      const { redirectUri } = messages.developer.form.errors;
      expect(redirectUri('u', problem)).toMatch(/^u \p{L}.*\.$/u);
      const others = problems.filter((one) => one !== problem).map((one) => redirectUri('u', one));
      expect(others).not.toContain(redirectUri('u', problem));
    }
  });
});
