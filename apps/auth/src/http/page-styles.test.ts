import { loadAssets } from '@linnet/ui/assets';
import { expect, test } from 'vitest';

import { createContext } from '../testing/koa-context.ts';
import { pageStyles } from './page-styles.ts';

test('the stylesheet of all pages is small and takes nothing from elsewhere', async () => {
  const assets = loadAssets({ path: '/assets', styles: pageStyles });
  const ctx = createContext({ url: assets.addresses.style });
  await assets.serve(ctx, async () => undefined);
  const style = String(ctx.body);
  expect(style).toContain('.choice');
  expect(Buffer.byteLength(style)).toBeLessThanOrEqual(15_000);
  expect(style).not.toMatch(/url\(|@import|@font-face/);
});
