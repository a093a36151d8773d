import { languages } from '@linnet/contract/languages';
import { renderToString } from 'preact-render-to-string';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { findElements, textOf } from '@linnet/test/auth/html';
import type { Element } from '@linnet/test/auth/html';
import { readForms, returnFaults, typeInto } from '@linnet/test/auth/page-forms';
import { samplePages } from '@linnet/test/auth/sample-pages';
import { createForm, unkeptFields } from '../form/form.ts';
import type { ReturnedForm } from '../frame/frame.ts';
import { stayingScript } from '../../sign-in/consent/consent-page.tsx';
import { returningScript } from '../../sign-in/consent/returning-page.tsx';

/** Each rule holds on every page in every language: one test for each rule, because a test for each page costs more than its rules. */

interface DrawnPage {
  readonly language: (typeof languages)[number];
  readonly name: string;
  readonly html: string;
  readonly elements: readonly Element[];
}

const pages: DrawnPage[] = [];
beforeAll(() => {
  for (const language of languages) {
    for (const [name, page] of Object.entries(samplePages(language))) {
      const html = renderToString(page);
      pages.push({ language, name, html, elements: findElements(html) });
    }
  }
});
afterAll(() => {
  pages.length = 0;
});

/** A test that names every page that breaks the rule. */
function onEveryPage(check: (page: DrawnPage) => void): () => void {
  return () => {
    const faults: string[] = [];
    for (const page of pages) {
      try {
        check(page);
      } catch (error) {
        faults.push(`${page.name} (${page.language}): ${String(error)}`);
      }
    }
    expect(pages.length).toBeGreaterThan(500);
    expect(faults).toEqual([]);
  };
}

function isField({ tag, attributes }: Element): boolean {
  const isHidden = attributes['type'] === 'hidden' || attributes['hidden'] !== undefined;
  return ['input', 'textarea', 'select'].includes(tag) && !isHidden;
}

test(
  'has a language, a title and one h1',
  onEveryPage(({ language, html }) => {
    expect(findElements(html, 'html')[0]?.attributes['lang']).toBe(language);
    expect(/<title[^>]*>[^<]+ · Linnet<\/title>/.test(html)).toBe(true);
    expect(findElements(html, 'h1')).toHaveLength(1);
    expect(findElements(html, 'main')).toHaveLength(1);
  }),
);

test(
  'has one label per field',
  onEveryPage(({ html, elements }) => {
    const labelled = findElements(html, 'label').map(({ attributes }) => attributes['for']);
    const fields = elements.filter(isField).map(({ attributes }) => attributes['id']);
    expect(labelled).toHaveLength(fields.length);
    expect(new Set(labelled)).toEqual(new Set(fields));
  }),
);

test(
  'has unique ids, and all references resolve',
  onEveryPage(({ html, elements }) => {
    const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const described = elements.flatMap(({ attributes }) => (attributes['aria-describedby'] ?? '').split(' '));
    const anchors = findElements(html, 'a').flatMap(
      ({ attributes }) => /^#(.*)$/.exec(attributes['href'] ?? '')?.[1] ?? [],
    );
    for (const id of [...described.filter((one) => one !== ''), ...anchors]) expect(ids).toContain(id);
  }),
);

test(
  'shows each error next to its field',
  onEveryPage(({ elements }) => {
    for (const { attributes } of elements.filter(
      ({ attributes: { 'aria-invalid': invalid } }) => invalid !== undefined,
    )) {
      expect(attributes['aria-invalid']).toBe('true');
      expect(attributes['aria-describedby']).toContain(`field-${attributes['name'] ?? '?'}-error`);
    }
  }),
);

test(
  'focuses the error, if there is one, and nothing else',
  onEveryPage(({ elements }) => {
    const wrong = elements.filter(({ attributes }) => attributes['aria-invalid'] !== undefined);
    const alerts = elements.filter(({ attributes }) => attributes['role'] === 'alert');
    const focused = elements.filter(({ attributes }) => attributes['autofocus'] !== undefined);
    expect(focused).toEqual(alerts);
    expect(alerts).toHaveLength(wrong.length > 0 || alerts.length > 0 ? 1 : 0);
  }),
);

test(
  'UI3: has the CSRF token in every form that is posted to this service and in no other',
  onEveryPage(({ name, html }) => {
    const forms = html.match(/<form\b.*?<\/form>/gs) ?? [];
    expect(forms).toHaveLength(findElements(html, 'form').length);
    for (const form of forms) {
      const { method, action } = findElements(form, 'form')[0]?.attributes ?? {};
      // A search and a choice of what a page shows.
      const isQuery = method === undefined && /^(?:guide|admin|application activity)/.test(name);
      expect(isQuery || method === 'post').toBe(true);
      const isForeign = isQuery || action?.startsWith('http') === true;
      const tokens = findElements(form, 'input').filter(({ attributes }) => attributes['name'] === 'csrf');
      const values = tokens.map(({ attributes }) => attributes['value']);
      expect(values).toEqual(isForeign ? [] : ['token-of-this-browser']);
      expect(form.includes('token-of-this-browser')).toBe(!isForeign);
    }
  }),
);

test(
  'never contains a password',
  onEveryPage(({ html }) => {
    const passwords = findElements(html, 'input').filter(({ attributes }) => attributes['type'] === 'password');
    for (const { attributes } of passwords) expect(attributes).not.toHaveProperty('value');
  }),
);

test(
  'AZ16: has no script except for passkeys, proofs of work, progress, copying, returning and closing, no inline styles, and loads nothing from other origins',
  onEveryPage(({ name, html, elements }) => {
    const inline = { returning: returningScript, 'consent, private scheme': stayingScript }[name];
    const own = inline === undefined ? '' : `<script>${inline}</script>`;
    expect(html).toContain(own);
    const others = html.replace(own, '');
    const scripts = new Set(
      findElements(others, 'script').map(({ attributes: { type, src } }) => `${type ?? ''} ${src ?? ''}`),
    );
    // A page may run one file.
    expect(scripts.size).toBeLessThan(2);
    const known = /^module \/assets\/(?:passkeys|proof|progress|copy)\.js\?v=0$/;
    for (const script of scripts) expect(script).toMatch(known);
    expect(html.includes('data-copied=') && !html.includes('/assets/copy.js')).toBe(false);
    expect(others.match(/<script[^>]*>(?!<\/script>)/g)).toBe(null);
    expect(others.includes('<noscript>')).toBe(/\/assets\/(?:passkeys|progress|proof)\.js/.test(others));
    expect(findElements(html, 'style')).toEqual([]);
    for (const { attributes } of elements) {
      expect(Object.keys(attributes).filter((key) => key === 'style' || key.startsWith('on'))).toEqual([]);
      expect(attributes['src'] ?? '/').toMatch(/^\/(?!\/)/);
    }
    const loaded = findElements(html, 'link').filter(({ attributes: { rel } }) => rel !== 'canonical');
    for (const { attributes } of loaded) expect(attributes['href']).toMatch(/^\/assets\//);
  }),
);

test(
  'has no missing texts',
  onEveryPage(({ html }) => {
    const words = textOf(html.replaceAll(/<(pre|script|article)\b[^>]*>.*?<\/\1>/gs, ''));
    expect(words).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object|Invalid Date|=>|\{|\}/);
  }),
);

test(
  'is smaller than 50 KB; a guide with programs in seven languages, 85 KB',
  onEveryPage(({ name, html }) => {
    expect(Buffer.byteLength(html)).toBeLessThan(name === 'guide' ? 85_000 : 50_000);
  }),
);

test(
  'links to the other languages by their own names, unless it can be loaded only once',
  onEveryPage(({ language, name, html }) => {
    const isOnce = name === 'returning';
    const others = isOnce ? [] : languages.filter((one) => one !== language);
    const switches = findElements(html, 'a').filter(({ attributes }) => attributes['hreflang'] !== undefined);
    expect(switches.map(({ attributes: { href, lang } }) => [href, lang])).toEqual(
      others.map((other) => [`?lang=${other}`, other]),
    );
    const names = ['English', 'Deutsch', 'Français', 'Español'].filter((own) => textOf(html).includes(own));
    expect(names).toHaveLength(isOnce ? 0 : 4);
  }),
);

test(
  'has one field with the username before the password in every form that asks for one',
  onEveryPage(({ html }) => {
    for (const form of html.match(/<form\b.*?<\/form>/gs) ?? []) {
      const kinds = findElements(form, 'input').map(({ attributes }) => attributes['autocomplete'] ?? '');
      const passwords = kinds.flatMap((kind, index) => (/^(?:current|new)-password$/.test(kind) ? [index] : []));
      if (passwords.length === 0) continue;
      const usernames = kinds.flatMap((kind, index) => (/^username\b/.test(kind) ? [index] : []));
      expect(usernames).toHaveLength(1);
      expect(usernames[0]).toBeLessThan(Math.min(...passwords));
      expect(findElements(form, 'input')[usernames[0] ?? 0]?.attributes['type']).toBe('text');
    }
  }),
);

const secrets = ({ attributes }: Element) =>
  attributes['type'] === 'password' || attributes['name']?.endsWith('code') === true;

test(
  'no password or code is kept when a form is shown again',
  onEveryPage(({ elements }) => {
    const names = elements.filter(secrets).map(({ attributes }) => attributes['name'] ?? '');
    expect(names.filter((name) => !unkeptFields.has(name))).toEqual([]);
  }),
);

test(
  'a field for a code of an authenticator app has the keypad and the code that the phone offers, and no other field has them',
  onEveryPage(({ elements }) => {
    for (const { attributes } of elements.filter((element) => element.attributes['type'] === 'text')) {
      const isCode = attributes['name'] === 'code';
      expect(attributes['autocomplete'] === 'one-time-code').toBe(isCode);
      expect(attributes['inputmode'] === 'numeric').toBe(isCode);
    }
  }),
);

test('every form with text is shown again with what was typed and chosen, where people see it', () => {
  const faults: string[] = [];
  let count = 0;
  for (const [name, page] of Object.entries(samplePages('en'))) {
    const { frame } = page.props as { readonly frame?: { returned?: ReturnedForm } };
    for (const [index, form] of readForms(renderToString(page)).entries()) {
      const pairs = typeInto(form);
      if (pairs === undefined || frame === undefined) continue;
      frame.returned = { isSessionEnded: true, typed: createForm(pairs) };
      faults.push(...returnFaults(renderToString(page), index, pairs).map((fault) => `${name}: ${fault}`));
      delete frame.returned;
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(60);
  expect(faults).toEqual([]);
});
