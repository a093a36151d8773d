import { once } from 'node:events';
import { createServer } from 'node:http';

import { expect, inject, test } from 'vitest';

import { pngImage } from '../../support/media/images.ts';
import { expectAccessible, home, openClient } from '../../support/web-client.ts';

/** A link in a post becomes a card, in the client and on the public page. The picture is our copy. */

/** Serves a page with a picture where the service may fetch it. */
async function servePage(host: string): Promise<AsyncDisposable> {
  const picture = await pngImage({ width: 640, height: 320 }, 'green');
  const tags = {
    'og:title': 'How kestrels hover',
    'og:description': 'They keep their heads still.',
    'og:site_name': 'Birds of the field',
    'og:image': `http://${host}/kestrel.png`,
    'og:image:alt': 'A kestrel above a meadow',
  };
  const meta = Object.entries(tags).map(([name, content]) => `<meta property="${name}" content="${content}">`);
  const server = createServer(({ url }, response) => {
    if (url === '/kestrel.png') response.setHeader('content-type', 'image/png').end(picture);
    else {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><html><head>${meta.join('')}</head></html>`);
    }
  });
  const [name = '', port = ''] = host.split(':');
  server.listen(Number(port), name);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a link becomes a card with words and picture, at 320 and 1280 pixels, and on the public page', async () => {
  const { linkHost, baseUrl } = inject('service');
  await using _page = await servePage(linkHost);
  const { page, person } = await openClient();
  const address = `http://${linkHost}/kestrels`;
  await page.getByRole('button', { name: 'What did you notice?' }).click();
  await page.getByRole('textbox', { name: 'Your post' }).fill(`Read this: ${address}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByText('Read this').waitFor();
  const card = page.locator('a.link-card');
  const seesCard = async (reload: () => Promise<unknown>) => {
    await expect
      .poll(
        async () => {
          await reload();
          await page.getByText('Read this').first().waitFor();
          return await card.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await card.getAttribute('href')).toBe(address);
    expect(await card.innerText()).toMatch(
      /Birds of the field · 127\.0\.0\.1\s+How kestrels hover\s+They keep their heads still\./,
    );
    const picture = card.locator('img');
    expect(await picture.getAttribute('alt')).toBe('A kestrel above a meadow');
    expect(new URL((await picture.getAttribute('src')) ?? '', page.url()).origin).toBe(new URL(baseUrl).origin);
    await expect
      .poll(async () => await page.evaluate(`document.querySelector('a.link-card img').naturalWidth`))
      .toBeGreaterThan(0);
  };
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await seesCard(async () => await page.goto(home));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  await expectAccessible(page);
  await seesCard(async () => await page.goto(`/@${person.username}`));
});
