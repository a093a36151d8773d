import { describe, expect, test } from 'vitest';

import {
  ApplicationRefused,
  parseApplicationName,
  parseRedirectUris,
  parseScopes,
} from '@linnet/applications/application/application';
import type { ApplicationProblem } from '@linnet/applications/application/application';
import { redirectUriProblems } from '@linnet/applications/application/redirect-uri-policy';
import type { RedirectUriProblem } from '@linnet/applications/application/redirect-uri-policy';
import { catalogues } from '../../../pages/i18n/messages.ts';
import { problemTexts } from './problem-text.ts';

const { en, de } = catalogues;

function problemsOf(action: () => unknown): readonly ApplicationProblem[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ApplicationRefused) return error.problems;
    throw error;
  }
  throw new Error('nothing was rejected');
}

describe('a rejected application', () => {
  test.each([
    [() => parseApplicationName(' '), { name: 'Enter a name.' }],
    [() => parseApplicationName('x'.repeat(61)), { name: 'Name must be 60 characters or fewer.' }],
    [
      () => parseApplicationName('a\u202Eb'),
      { name: 'The name contains a character that cannot be displayed. Remove it.' },
    ],
    [() => parseScopes(['x<\u202E']), { scope: '“x<” is not a valid permission.' }],
    [
      () =>
        parseRedirectUris(
          Array.from({ length: 21 }, (_, index) => `https://a.example/${String(index)}`),
          'public',
        ),
      { redirect_uris: 'An application can have up to 20 redirect URIs.' },
    ],
  ])('%s shows the reason beside the field', (action, errors) => {
    expect(problemTexts(en, problemsOf(action))).toEqual({ errors, problem: undefined });
  });

  test('shows all reasons at once, in the language of the page', () => {
    const problems = problemsOf(() => parseRedirectUris(['https://a.example/#b', 'a'], 'public'));
    expect(problemTexts(de, [{ field: 'name', problem: 'blank' }, ...problems]).errors).toEqual({
      name: 'Gib einen Namen ein.',
      redirect_uris:
        'https://a.example/#b hat ein Fragment. Lass das # und was darauf folgt weg.\n' +
        'a ist keine vollständige Adresse wie https://app.example.com/callback.',
    });
  });

  test('shortens a long redirect URI', () => {
    const long = `https://a.example/${'b'.repeat(3000)}`;
    const { errors } = problemTexts(
      en,
      problemsOf(() => parseRedirectUris([long], 'public')),
    );
    expect(errors.redirect_uris).toMatch(/^https:\/\/a\.example\/b{101}… is longer than 2048 characters\.$/);
  });

  test('explains an error of response_type=token', () => {
    const { errors } = en.developer.form;
    expect(problemTexts(en, [{ field: 'implicit', problem: 'native' }]).errors.implicit).toBe(errors.implicitNative);
    expect(problemTexts(en, [{ field: 'implicit', problem: 'no-redirect-uri' }]).errors.implicit).toBe(
      errors.implicitWithoutRedirectUri,
    );
  });

  test('separates errors that belong to no field', () => {
    expect(problemTexts(en, [{ field: 'owner', problem: 'too-many' }])).toEqual({
      errors: {},
      problem: en.developer.form.errors.tooManyApplications,
    });
    expect(problemTexts(en, [{ field: 'owner', problem: 'unknown', value: 'x' }]).problem).toBe(
      'Your account does not have permission to do this.',
    );
  });
});

describe('each reason to reject a redirect URI', () => {
  // The keys of an object literal of that type.
  const problems = Object.keys(redirectUriProblems) as RedirectUriProblem[];

  test.each(problems)('%s has its own sentence in every language', (problem) => {
    for (const messages of [en, de]) {
      const { redirectUri } = messages.developer.form.errors;
      expect(redirectUri('u', problem)).toMatch(/^u \p{L}.*\.$/u);
      const others = problems.filter((one) => one !== problem).map((one) => redirectUri('u', one));
      expect(others).not.toContain(redirectUri('u', problem));
    }
  });
});
