import { expect, test } from 'vitest';

import { fontFamilies } from '../../support/fonts.ts';
import { connectBrowser } from '../../support/open-browser.ts';

/** Families that are common on developers' machines, those of CSS, and ours. */
const asked = {
  Arial: 'Arimo',
  Verdana: 'Arimo',
  'Segoe UI': 'Arimo',
  Roboto: 'Arimo',
  'Noto Sans': 'Arimo',
  'Liberation Sans': 'Arimo',
  'Times New Roman': 'Arimo',
  'no such family': 'Arimo',
  'system-ui': 'Arimo',
  'sans-serif': 'Arimo',
  serif: 'DejaVu Serif',
  'ui-serif': 'DejaVu Serif',
  monospace: 'DejaVu Sans Mono',
  'ui-monospace': 'DejaVu Sans Mono',
  'DejaVu Sans': 'DejaVu Sans',
  'PT Sans Narrow': 'PT Sans Narrow',
};

const keywords = /^(?:system-ui|sans-serif|serif|ui-serif|monospace|ui-monospace)$/;

// Elsewhere Chromium does not use fontconfig.
test.runIf(process.platform === 'linux')('Chromium draws every text with the fonts of the npm packages', async () => {
  await using browser = await connectBrowser({});
  const { page, context } = browser;
  const paragraphs = Object.keys(asked).map(
    (family) => `<p style="font-family: ${keywords.test(family) ? family : `'${family}'`}">A <b>b</b> <i>c</i></p>`,
  );
  await page.setContent(`${paragraphs.join('')}<p>漢字 🙂 ✓ ع ไทย</p>`);
  const devtools = await context.newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' });
  const used = await Promise.all(
    nodeIds.map(async (nodeId) => {
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      return [...new Set(fonts.map(({ familyName }) => familyName))];
    }),
  );
  const fallbacks = used.pop();
  expect(used).toEqual(Object.values(asked).map((family) => [family]));
  const ours = new Set<string>([...fontFamilies.sans, fontFamilies.serif, fontFamilies.mono, 'DejaVu Math TeX Gyre']);
  expect(fallbacks?.filter((family) => !ours.has(family))).toEqual([]);
});
