// The logo goes through the decoder, and links lead to the shown http or https address.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { canary, noiseImage, otherFiles, photoWithMetadata, pngBomb, pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { catalogues } from '../../pages/i18n/messages.ts';

const { imageProblems } = catalogues.en;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let owner: Browser;
let stranger: Browser;
let application: ShownApplication;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  [owner, stranger] = [createBrowser(auth), createBrowser(auth)];
  await signIn(owner, await registerPerson(auth.db, 'pictured_owner'));
  await signIn(stranger, await registerPerson(auth.db, 'pictured_other'));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  application = await createOnPage(owner, { redirect_uris: 'https://app.example.com/cb' });
});

interface Sent {
  readonly browser?: Browser;
  readonly csrf?: string | undefined;
  readonly path?: string;
}

const appearance = () => `${application.path}/appearance`;

async function upload(file: Buffer | undefined, { browser = owner, csrf, path = application.path }: Sent = {}) {
  const body = new FormData();
  body.set('csrf', csrf ?? (await tokenOf(browser)));
  if (file !== undefined) body.set('logo', new Blob([new Uint8Array(file)]), '../<b>evil</b>.svg');
  const form = new Response(body);
  return await auth.send({
    method: 'POST',
    path: `${path}/appearance`,
    headers: {
      'content-type': form.headers.get('content-type') ?? '',
      cookie: browser.cookies.headerFor('/developer') ?? '',
    },
    body: Buffer.from(await form.arrayBuffer()),
  });
}

async function tokenOf(browser: Browser): Promise<string> {
  const page = await browser.open('/account/profile');
  return page.formWith('csrf').fields.find(([name]) => name === 'csrf')?.[1] ?? '';
}

const stored = async () =>
  await auth.db.prisma.applicationLogo.findUnique({ where: { clientId: application.clientId } });

async function logoOn(page: Page): Promise<Answer> {
  const [, path = ''] = /<img class="logo" src="([^"]*)"/.exec(page.html) ?? [];
  return await auth.send({ path });
}

async function consentPage(): Promise<Page> {
  const { clientId } = application;
  const query = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'https://app.example.com/cb',
    scope: 'users',
  };
  return await stranger.open(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
}

describe('the logo', () => {
  test('is re-encoded, small and without metadata, and is public', async () => {
    const sent = await upload(await photoWithMetadata({ width: 900, height: 600 }));
    expect([sent.status, sent.headers.location]).toEqual([303, `${appearance()}?done=logo-saved`]);
    const logo = await stored();
    const bytes = Buffer.from(logo?.bytes ?? []);
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(bytes.includes(canary)).toBe(false);
    for (const page of [await owner.open('/developer'), await owner.open(application.path), await consentPage()]) {
      const { status, headers } = await logoOn(page);
      expect([status, headers['content-type'], headers['content-length']]).toEqual([
        200,
        'image/jpeg',
        String(bytes.length),
      ]);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    const path = `/logos/${logo?.name ?? ''}`;
    const again = await auth.send({ path, headers: { 'if-none-match': `"${logo?.name ?? ''}"` } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await auth.send({ path: path.replace('.jpg', '.png') })).status).toBe(404);
  });

  test('a new logo has a new URL; a removed one is gone, also after the application is deleted', async () => {
    await upload(await pngImage());
    const first = await stored();
    await upload(await pngImage({ width: 60, height: 60 }, 'blue'));
    const second = await stored();
    expect(second?.name).not.toBe(first?.name);
    const statusOf = async (name = '') => (await auth.send({ path: `/logos/${name}` })).status;
    expect([await statusOf(first?.name), await statusOf(second?.name)]).toEqual([404, 200]);
    const page = await owner.open(appearance());
    expect((await owner.submit(page, page.formOf('remove-logo'))).text).toContain('Logo removed.');
    expect([await statusOf(second?.name), await stored()]).toEqual([404, null]);
    expect((await owner.open(`${application.path}/history`)).text).toContain('Branding changed');
  });

  test('rejects a file that is no PNG or JPEG, damaged, huge, missing or too large, beside the field', async () => {
    const files: Readonly<Record<string, Buffer | undefined>> = {
      ...(await otherFiles()),
      bomb: pngBomb(),
      damaged: (await noiseImage({ width: 90, height: 90 })).subarray(0, 9000),
      none: undefined,
      large: Buffer.alloc(2 * 1024 * 1024 + 1),
      larger: Buffer.alloc(3 * 1024 * 1024),
    };
    const texts: Readonly<Record<string, string>> = {
      ...imageProblems,
      bomb: imageProblems['too-many-pixels'],
      empty: 'Choose an image.',
      none: 'Choose an image.',
    };
    for (const [name, file] of Object.entries(files)) {
      const { status, text } = await upload(file);
      const expected = texts[name] ?? (name.startsWith('large') ? 'larger than 2 MB' : imageProblems.other);
      const rejected = name.startsWith('large') ? 413 : 422;
      expect([name, status, text.includes(expected), text.includes('aria-invalid')]).toEqual([
        name,
        rejected,
        true,
        true,
      ]);
    }
    expect(await stored()).toBeNull();
  });

  test('rejects other sites, other people and other content types', async () => {
    const picture = await pngImage();
    expect((await upload(picture, { csrf: 'forged' })).status).toBe(403);
    expect((await upload(picture, { browser: stranger })).status).toBe(404);
    expect((await upload(picture, { path: '/developer/applications/app_of_nobody_at_all' })).status).toBe(404);
    const page = await owner.open(appearance());
    expect((await owner.submit(page, page.formOf('upload-logo'), { logo: 'x' })).status).toBe(400);
    expect(await stored()).toBeNull();
  });
});

describe('links', () => {
  async function save(values: Record<string, string>): Promise<Page> {
    const page = await owner.open(appearance());
    return await owner.submit(page, page.formOf('save-links'), values);
  }

  test('are shown where people decide, with their hosts, and keep the page open', async () => {
    const saved = await save({
      website_uri: ' https://app.example.com ',
      terms_uri: 'http://terms.example.com/a?b=c',
      privacy_uri: 'https://xn--bcher-kva.example/privacy',
    });
    expect(saved.text).toContain('Links saved.');
    const { html, text } = await consentPage();
    expect(text).toMatch(
      /Website app\.example\.com Terms of service terms\.example\.com Privacy policy xn--bcher-kva\.example/,
    );
    for (const href of ['https://app.example.com/', 'http://terms.example.com/a?b=c']) {
      expect(html).toContain(`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">`);
    }
    await save({ website_uri: '', terms_uri: '', privacy_uri: '' });
    await expect.poll(async () => (await consentPage()).text).not.toContain('Website');
  });

  test('rejects addresses that could run code, hide their target or are malformed, and saves nothing', async () => {
    const hostile = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://a:b@c.example/',
      'x',
      `https://a.example/${'x'.repeat(2048)}`,
    ];
    for (const terms of hostile) {
      const rejected = await save({ website_uri: 'https://good.example/', terms_uri: terms });
      expect([terms, rejected.status]).toEqual([terms, 422]);
      expect(rejected.formOf('save-links').fields).toContainEqual(['terms_uri', terms]);
      expect(rejected.html.match(/aria-invalid/g)).toHaveLength(1);
    }
    expect((await owner.open(appearance())).formOf('save-links').fields).toContainEqual(['website_uri', '']);
    expect((await stranger.open(appearance())).status).toBe(404);
  });
});
