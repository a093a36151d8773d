import { expect, test } from 'vitest';

import { findChromium } from './chromium.ts';

test('reports a CHROMIUM_PATH that does not exist', async () => {
  await expect(findChromium('/nowhere/chromium')).rejects.toThrow('CHROMIUM_PATH: /nowhere/chromium does not exist');
});
