import { afterAll, beforeAll, expect, test } from 'vitest';

import { narrowWidth, takePictures } from '../../support/look.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions } from '../../support/open-browser.ts';
import { drawStates, findWide, lookAgain, lookClosely, prepare, serveStates } from '../../support/sample-states.ts';

/**
 * WCAG 2.2 AA as far as a machine can tell, on every page in every state: what is among the samples is looked at, and
 * a page that is not among them fails a test beside the samples. `SCREENSHOTS=<folder>` keeps pictures of all of them.
 */

const name = 'Weather Bird';
/** Longer than a narrow window is wide, in one word. */
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';

/** A hundred documents on a busy machine, with their pictures. */
const deadline = { timeout: 240_000 };

let server: Awaited<ReturnType<typeof serveStates>>;

beforeAll(async () => {
  server = await serveStates();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openWorkbench(options: BrowserOptions) {
  const browser = await connectBrowser({ scripts: true, bypassPolicy: true, ...options });
  await prepare(browser.page, server.address);
  return browser;
}

async function lookAtEvery(
  documents: ReadonlyMap<string, string>,
  look: (html: string, state: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [state, html] of documents) {
    for (const one of await look(html, state)) found.push(`${state}: ${one}`);
  }
  return found;
}

test('in the light, 320 pixels wide: no barrier, nothing cut, and the focus is seen', deadline, async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const found = await lookAtEvery(drawStates('en', name), async (html, state) => {
    const barriers = await lookClosely(browser.page, html);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takePictures(browser.page, folder, `state-${state.replaceAll(/\W+/g, '-')}`);
    return barriers;
  });
  expect(found).toEqual([]);
  // A browser that has date fields sends dates.
  expect(browser.faults.filter((fault) => !fault.includes('does not conform to the required format'))).toEqual([]);
});

test('in the dark, on a desktop: all can be read, and pressed', deadline, async () => {
  await using browser = await openWorkbench({ colorScheme: 'dark' });
  const found = await lookAtEvery(drawStates('en', name), async (html) => await lookAgain(browser.page, html));
  expect(found).toEqual([]);
});

/** WCAG 2.2, 1.4.12: the spacing that readers may ask for. */
const spacing = `<style>
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
</style>`;

test('in every language, with long names and wide spacing, nothing is cut or scrolls sideways', deadline, async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const { page } = browser;
  const width = narrowWidth;
  const found = {
    de: await findWide(page, drawStates('de', longName), { width }),
    fr: await findWide(page, drawStates('fr', name), { width }),
    es: await findWide(page, drawStates('es', name), { width }),
    spaced: await findWide(page, drawStates('de', name), { width: 360, style: spacing }),
  };
  expect(found).toEqual({ de: [], fr: [], es: [], spaced: [] });
});

test('what looks sees what is wrong', async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const wrong = `<!DOCTYPE html><html><head><style>
    .pale { color: #aaa; background: #fff } @media (prefers-color-scheme: dark) { .dusk { color: #333; background: #222 } }
    .small { width: 12px; height: 12px; padding: 0; outline: none; display: block }
    .wide { width: 400px } .cut { width: 50px; overflow: hidden; white-space: nowrap }
    </style></head><body><p class="pale">Pale</p><p class="wide">Wide</p><p class="cut">Cut because it is too long</p>
    <details><summary>More</summary><input></details><a class="small" href="#">a</a><a class="small" href="#">b</a>
    </body></html>`;
  const found = await lookClosely(browser.page, wrong);
  const kinds = new Set(found.map((one) => one.replace(/:.*/s, '').replace(/by \d+ pixels/, '')));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'color-contrast',
      'document-title',
      'html-has-lang',
      'label',
      'page-has-heading-one',
      'target-size',
      'scrolls sideways ',
      'cut ',
      'the focus is not seen',
    ]),
  );
  await browser.page.emulateMedia({ colorScheme: 'dark' });
  const inTheDark = await lookAgain(browser.page, wrong.replace('class="pale"', 'class="dusk"'));
  expect(inTheDark.filter((one) => /^(?:color-contrast|target-size): .*class="(?:dusk|small)"/.test(one))).toHaveLength(
    3,
  );
  expect(await findWide(browser.page, new Map([['page', wrong]]), { width: narrowWidth })).toHaveLength(2);
});
