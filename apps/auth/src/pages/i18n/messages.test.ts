import { languages } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import { describe, expect, test } from 'vitest';

import { catalogues } from './messages.ts';

/** Placeholder values; numbers, because some texts have plural forms. */
const marks = [871, 872, 873];

/** Every text by its path; functions are called with the placeholder values. */
function textsOf(value: unknown, path = '', words = marks): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const given = /format(?:(?:Short)?Day|Minute|Second)$/.test(path) ? [new Date(0)] : words.slice(0, value.length);
    const text: unknown = Reflect.apply(value, undefined, given);
    return [[path, [text].flat(9).join('')]];
  }
  if (typeof value !== 'object' || value === null) throw new TypeError(`${path} is no text`);
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, path === '' ? key : `${path}.${key}`, words));
}

const texts = Object.fromEntries(languages.map((language) => [language, new Map(textsOf(catalogues[language]))]));
const english = new Map(textsOf(catalogues.en));
const others = languages.filter((language) => language !== 'en');

/** Names of algorithms, which are the same in every language. */
const algorithms = ['ES256', 'PS256', 'EdDSA', 'RS256'].map((name) => `developer.settings.choices.${name}.label`);

/** Texts that are the same as in English on purpose. */
const alike: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: [
    ...algorithms,
    'admin.audit.fields.operator',
    'admin.people.operator',
    'layout.admin',
    'developer.form.name',
    'developer.form.errors.redirectUri',
    'account.overviewPage.name',
    'factors.newPasskey.name',
    'factors.security.passkeys',
    'developer.usage.bar',
    'formatNumber',
    'device.userCode',
    'layout.status',
    'status.duration',
    'status.parts.api',
    'status.title',
    'admin.overview.limits.title',
    'admin.person.facts.id',
    'developer.usage.charts.tokens.title',
    'developer.limits.limit',
    'developer.profile.website',
    'developer.pages.webhooks',
    'developer.webhooks.url',
  ],
  fr: [
    ...algorithms,
    'developer.types.native.label',
    'developer.form.errors.redirectUri',
    'developer.application.type',
    'developer.profile.logo',
    'developer.secrets.title',
    'formatNumber',
    'account.profile.photo',
    'developer.profile.logoFile',
    'account.sessions.title',
    'device.userCode',
    'guides.navigation',
    'guides.title',
    'layout.admin',
    'layout.menu',
    'admin.applications.facts.type',
    'admin.applications.title',
    'admin.events.actors.application',
    'admin.overview.counts.applications',
    'admin.pages.applications',
    'admin.person.acts',
    'admin.person.facts.applications',
    'admin.overview.durations.minutes',
    'layout.contact',
    'notifications.title',
    'status.interruptions',
    'status.duration',
    'status.parts.api',
    'invitations.note',
    'invitations.title',
    'developer.pages.webhooks',
    'developer.webhooks.url',
    'developer.webhooks.secret',
  ],
  es: [
    ...algorithms,
    'developer.form.errors.redirectUri',
    'developer.usage.bar',
    'formatNumber',
    'status.duration',
    'status.parts.api',
    'developer.pages.webhooks',
    'developer.webhooks.url',
  ],
};

describe.each(others)('the catalogue (%s)', (language) => {
  const translated = texts[language] ?? new Map<string, string>();

  test('has exactly the English texts', () => {
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test('is translated', () => {
    const same = [...english.keys()].filter((path) => english.get(path) === translated.get(path));
    expect(same.toSorted()).toEqual([...alike[language]].toSorted());
  });

  test('uses all placeholders', () => {
    const marksIn = (text: string) => (text.match(/87[123]/g) ?? []).toSorted();
    const marked = (one: ReadonlyMap<string, string>) =>
      Object.fromEntries([...english.keys()].map((path) => [path, marksIn(one.get(path) ?? '')]));
    expect(marked(translated)).toEqual(marked(english));
  });
});

/** What no text is; `redirectUri` is called with what is no problem of an address. */
const broken = /^\s*$|\b(?:NaN|undefined|null)\b|\[object/;

test.each(languages)('no text is blank or broken for any count (%s)', (language) => {
  const faults = [0, 1, 2, 1000, 1_000_000].flatMap((count) =>
    textsOf(catalogues[language], '', [count, count, count])
      .filter(([path, text]) => broken.test(text) && path !== 'developer.form.errors.redirectUri')
      .map(([path]) => `${path} of ${String(count)}`),
  );
  expect(faults).toEqual([]);
});

/** The paths of texts that hold what they must not. */
function findPaths(language: Language, pattern: RegExp): readonly string[] {
  return [...(texts[language] ?? [])].filter(([, text]) => pattern.test(text)).map(([path]) => path);
}

describe('French', () => {
  test('has no-break spaces before double marks and inside quotes, and curved apostrophes', () => {
    expect(findPaths('fr', /[^\u202F][;?!](?!\w)|[^\u00A0/]:(?=\s|$)|«[^\u00A0]|[^\u00A0]»|\p{L}'/u)).toEqual([]);
  });

  test('uses the singular for 0 and its own number format', () => {
    expect([0, 1, 2, 1234].map(catalogues.fr.account.followers.count)).toEqual([
      'Aucun compte ne vous suit.',
      'Un compte vous suit.',
      '2 comptes vous suivent.',
      '1\u202F234 comptes vous suivent.',
    ]);
  });
});

describe('Spanish', () => {
  test('opens every question and exclamation', () => {
    const unopened = [...(texts['es'] ?? [])].filter(
      ([, text]) =>
        text.split('¿').length !== text.split('?').length || text.split('¡').length !== text.split('!').length,
    );
    expect(unopened).toEqual([]);
  });

  test('has plural forms', () => {
    expect([0, 1, 2].map(catalogues.es.account.followers.count)).toEqual([
      'Ninguna cuenta te sigue.',
      'Una cuenta te sigue.',
      '2 cuentas te siguen.',
    ]);
  });
});

test.each(['en', 'de'] as const)('pages for people say app, not application (%s)', (language) => {
  const ofPeople = /^(?:consent|device|factors|hidden|notifications|people|reports)\./;
  expect(findPaths(language, /application|Anwendung/i).filter((path) => ofPeople.test(path))).toEqual([]);
});

test('English and German have plural forms', () => {
  expect(catalogues.en.admin.person.postsAndFollowers(1, 2)).toBe('1 post, 2 followers');
  expect([1, 2].map(catalogues.en.form.problems)).toEqual([
    'There is a problem with the form',
    'There are 2 problems with the form',
  ]);
  expect([1, 2].map(catalogues.de.form.problems)).toEqual([
    'Eine Angabe stimmt noch nicht',
    '2 Angaben stimmen noch nicht',
  ]);
});

test('days and minutes are in UTC', () => {
  const date = new Date('2026-11-20T23:04:00Z');
  expect(languages.map((language) => catalogues[language].formatDay(date))).toEqual([
    'November 20, 2026',
    '20. November 2026',
    '20 novembre 2026',
    '20 de noviembre de 2026',
  ]);
  expect(languages.map((language) => catalogues[language].formatMinute(date).replaceAll(/\s/g, ' '))).toEqual([
    'Nov 20, 2026, 11:04 PM UTC',
    '20.11.2026, 23:04 UTC',
    '20 nov. 2026, 23:04 UTC',
    '20 nov 2026, 23:04 UTC',
  ]);
});

test('durations are in hours and minutes', () => {
  expect([1, 60, 61].map(catalogues.en.status.duration)).toEqual(['1\u00a0min', '1\u00a0h', '1\u00a0h 1\u00a0min']);
});
