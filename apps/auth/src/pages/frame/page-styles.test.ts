import { loadAssets } from '@linnet/ui/assets';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';

import { findElements } from '@linnet/test/auth/html';
import { createContext } from '@linnet/test/auth/koa-context';
import { samplePages } from '@linnet/test/auth/sample-pages';
import { extraStyles, pageStyles } from './page-frame.ts';

const assets = loadAssets({ path: '/assets', styles: pageStyles, extraStyles });
const { style: mainStyle, extraStyles: otherStyles } = assets.addresses;

async function readStyle(url = mainStyle): Promise<string> {
  const ctx = createContext({ url });
  await assets.serve(ctx, async () => undefined);
  return String(ctx.body);
}

test('the stylesheet is small and loads nothing from other origins', async () => {
  const style = await readStyle();
  expect(style).toContain('.choice');
  expect(Buffer.byteLength(style)).toBeLessThanOrEqual(18_000);
  expect(style).not.toMatch(/url\(|@import|@font-face/);
  // Nothing stands still over what has the focus (WCAG 2.2, 2.4.11).
  expect(style).not.toMatch(/position: (?:fixed|sticky)/);
});

/** They look like the rest of their kind. */
const plain = new Set(['new', 'tokens', 'people', 'calls', 'photo']);

test.each(Object.entries(otherStyles))('%s is small and loads nothing from other origins', async (_name, url) => {
  const style = await readStyle(url);
  expect(Buffer.byteLength(style)).toBeLessThanOrEqual(5000);
  expect(style).not.toMatch(/url\(|@import|@font-face|position: fixed/);
});

test('every class used on a page has a style', async () => {
  const styles = await Promise.all([mainStyle, ...Object.values(otherStyles)].map(readStyle));
  const styled = new Set([...styles.join('').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name));
  const used = Object.values(samplePages('en')).flatMap((page) =>
    findElements(renderToString(page)).flatMap(({ attributes }) => attributes['class']?.split(' ') ?? []),
  );
  expect([...new Set(used)].filter((name) => !styled.has(name) && !plain.has(name))).toEqual([]);
});
