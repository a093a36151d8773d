import { languages } from '@linnet/contract/languages';
import { renderToString } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { findElements, textOf } from '@linnet/test/auth/html';
import { samplePage, samplePages } from '@linnet/test/auth/sample-pages';
import { stayingScript } from '../../sign-in/consent/consent-page.tsx';
import { returningScript } from '../../sign-in/consent/returning-page.tsx';

const hostile = {
  script: '<script>alert(1)</script>',
  'end of an element': '</title></textarea></style><img src=x onerror=alert(1)>',
  'end of an attribute': '" autofocus onfocus="alert(1)',
  'javascript address': 'javascript:alert(1)',
  'data address': 'data:text/html,<script>alert(1)</script>',
  comment: '--><!--',
  entity: '&lt;script&gt;&#x3c;',
  template: '{{7*7}}${7*7}<%= 7*7 %>',
  'right-to-left override': 'safe\u202Egnp.exe\u2066\u061C',
  'very long word': 'Donaudampfschiff'.repeat(200),
  'line breaks': 'a\r\nSet-Cookie: x\u2028y',
};

const ownScripts = [
  '<script type="module" src="/assets/copy.js?v=0"></script>',
  '<script type="module" src="/assets/passkeys.js?v=0"></script>',
  '<script type="module" src="/assets/proof.js?v=0"></script>',
  '<script type="module" src="/assets/progress.js?v=0"></script>',
  `<script>${returningScript}</script>`,
  `<script>${stayingScript}</script>`,
];

/** Everything but what differs from text to text: tags and the names of their attributes. */
function skeletonOf(html: string): readonly string[] {
  return findElements(html).map(({ tag, attributes }) => `${tag} ${Object.keys(attributes).join(' ')}`);
}

/** Every sample page as HTML. */
function draw(language: (typeof languages)[number], text: string): readonly string[] {
  return Object.values(samplePages(language, text)).map(renderToString);
}

/** All that leads out of an element or an attribute at once, for the other languages: what differs there are the sentences around the text. */
const everything = Object.values(hostile).join(' ');

/** Drawn once: every hostile text is compared with them. */
const plain = new Map(languages.map((language) => [language, draw(language, 'plain').map(skeletonOf)]));

function expectSkeletons(language: (typeof languages)[number], pages: readonly string[]): void {
  expect(pages.map(skeletonOf)).toEqual(plain.get(language));
  const remove = (html: string, script: string) => html.replaceAll(script, '');
  for (const html of pages) expect(ownScripts.reduce(remove, html)).not.toContain('<script');
}

test.each(languages)('UI8: all of them together create no element and no attribute (%s)', (language) => {
  expectSkeletons(language, draw(language, everything));
});

describe.each(Object.entries(hostile))('UI8: %s', (_kind, text) => {
  let drawn: readonly string[] = [];
  beforeAll(() => {
    drawn = draw('en', text);
  });
  const english = () => drawn;
  afterAll(() => {
    drawn = [];
  });

  test('creates no element and no attribute', () => {
    expectSkeletons('en', english());
  });

  test('never becomes the URL of a link, form or image', () => {
    expect(english()).not.toEqual([]);
    for (const html of english()) {
      const addresses = findElements(html).flatMap(({ attributes: { href, src, action } }) => [href, src, action]);
      const known = /^(?:[/?#]|http:\/\/localhost:3000\/|mailto:hello@linnet\.example$|data:text\/plain,[\w%-]+$)/;
      expect(addresses.filter((address) => address !== undefined && !known.test(address))).toEqual([]);
    }
  });

  test('does not change the direction of surrounding text', () => {
    for (const page of english()) {
      const html = page.replaceAll(/<textarea.*?<\/textarea>|<input [^>]*>/gs, '');
      const shown = `${textOf(html)} ${/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''}`;
      // The marks U+061C, U+200E and U+200F order only the punctuation next to them.
      expect(shown).not.toMatch(/(?![\u061C\u200E\u200F])[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
    }
  });
});

test('UI8: entered text is shown again unchanged', () => {
  for (const text of Object.values(hostile)) {
    const page = samplePage('create application, refused', text);
    const inputs = findElements(renderToString(page), 'input');
    const name = inputs.find(({ attributes }) => attributes['name'] === 'name');
    expect(name?.attributes['value']?.replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
  }
});
