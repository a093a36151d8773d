/**
 * Every protocol setting × the three surfaces that change it: the form of the application's page, `linnet app update`, and the
 * registration of a client that registered itself (RFC 7592).
 */
import { generateKeyPairSync } from 'node:crypto';

import { createApplications } from '@linnet/applications/applications';
import { protocolSettings, settingKeys } from '@linnet/applications/settings/protocol-settings';
import type { SettingKey } from '@linnet/applications/settings/protocol-settings';
import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { createRegistrar } from '@linnet/test/auth/registrar';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';
import { settingValues } from '@linnet/test/cli/setting-values';

const callback = 'https://a.example/callback';
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let surfaces: Readonly<Record<SurfaceName, Surface>>;

type SurfaceName = 'form' | 'command' | 'registration';

interface Surface {
  readonly clientId: string;
  /** Undefined if it was accepted, otherwise what the surface says. */
  readonly set: (key: SettingKey, value: unknown) => Promise<string | undefined>;
  /** What the surface shows. */
  readonly read: (key: SettingKey) => Promise<unknown>;
  readonly actor: string;
}

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  const ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
  const register = async () =>
    (await auth.register({ owner: ada.username, redirectUris: [callback], scopes: ['users'], jwks })).clientId;
  surfaces = {
    form: formOf(await register()),
    command: commandFor(await register()),
    registration: await registerItself(jwks),
  };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'boolean') return value ? ['yes'] : [];
  if (Array.isArray(value)) return value.map(String);
  if (value === null) return [''];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
};

function formOf(clientId: string): Surface {
  const path = `/developer/applications/${clientId}/settings`;
  const open = async (): Promise<Page> => await browser.open(path);
  return {
    clientId,
    actor: 'person',
    set: async (key, value) => {
      const page = await open();
      const { name, input } = protocolSettings[key];
      const texts = input === 'lines' ? [textsOf(value).join('\n')] : textsOf(value);
      const answer = await browser.submit(page, page.formWith('action', 'save'), { [name]: texts });
      if (answer.status === 200) return undefined;
      expect(answer.status).toBe(422);
      const field = new RegExp(`href="#field-${name}"[^>]*>([^<]+)<`).exec(answer.html);
      return `${name}: ${field?.[1] ?? ''}`;
    },
    read: async (key) => {
      const { name, input } = protocolSettings[key];
      const texts = (await open()).formWith('action', 'save').fields.filter(([one]) => one === name);
      const values = texts.map(([, text]) => text);
      if (input === 'flag') return values.length > 0;
      if (input === 'choices') return values;
      const [text = ''] = values;
      if (input === 'lines') return text.split(/\r?\n/).filter((line) => line !== '');
      if (text === '') return null;
      return /^\d+$/.test(text) ? Number(text) : text;
    },
  };
}

function commandFor(clientId: string): Surface {
  return {
    clientId,
    actor: 'operator',
    set: async (key, value) => {
      const { option, input } = protocolSettings[key];
      const texts = textsOf(value);
      const values = texts.length === 0 ? [''] : texts;
      const options = input === 'flag' ? [value === true ? `--${option}` : `--no-${option}`] : [];
      const given = input === 'flag' ? options : values.map((text) => `--${option}=${text}`);
      const { status, stdout, stderr } = await run('app', 'update', clientId, ...given, '--json');
      expect(stderr).toBe('');
      const document: Readonly<Record<string, unknown>> = JSON.parse(stdout);
      if (status === 0) return undefined;
      expect([status, document]).toEqual([
        1,
        { error: { code: `invalid-${protocolSettings[key].name}`, message: expect.any(String) } },
      ]);
      return JSON.stringify(document['error']);
    },
    read: async (key) => {
      const { status, stdout } = await run('app', 'show', clientId, '--json');
      expect(status).toBe(0);
      return JSON.parse(stdout)[protocolSettings[key].name];
    },
  };
}

async function registerItself(jwks: object): Promise<Surface> {
  const registrar = createRegistrar(auth);
  const metadata = { redirect_uris: [callback], token_endpoint_auth_method: 'private_key_jwt', jwks };
  const { clientId, path, token } = await registrar.register(metadata);
  return {
    clientId,
    actor: 'application',
    set: async (key, value) => {
      const change = { ...metadata, client_id: clientId, [protocolSettings[key].name]: value };
      const { status, json } = await registrar.send(change, { method: 'PUT', path, token });
      if (status === 200) return undefined;
      expect([status, json['error']]).toEqual([400, 'invalid_client_metadata']);
      return String(json['error_description']);
    },
    read: async (key) => {
      const { json } = await registrar.send(undefined, { method: 'GET', path, token });
      return json[protocolSettings[key].name] ?? (key === 'tokenEndpointAuthSigningAlg' ? 'any' : null);
    },
  };
}

async function stored(clientId: string) {
  return (await createApplications(auth.db).show(clientId))?.protocol;
}

async function eventsOf(clientId: string) {
  return (await findLastAuditEvents(auth.db, 10_000)).filter((event) => event.clientId === clientId);
}

/** The newest entry of the history on the developer's page. */
async function newestEntry(clientId: string): Promise<string> {
  const { html } = await browser.open(`/developer/applications/${clientId}/history`);
  return /data-testid="history">(.*?)<\/li>/s.exec(html)?.[1] ?? '';
}

/** What the entry says about a value; texts about choices have tests of their own. */
function inHistory(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [value ? '(on)' : '(off)'];
  const isShown = typeof value === 'number' || textsOf(value)[0]?.startsWith('https:') === true;
  return isShown ? [textsOf(value).join(', ')] : [];
}

/** `strict` comes last, because it fixes other settings. */
const keys = settingKeys.toSorted((one, other) => Number(one === 'strict') - Number(other === 'strict'));

describe.each(['form', 'command', 'registration'] as const)('the %s', (name) => {
  test.each(keys)('sets, shows, audits and lists good values of %s', async (key) => {
    const { clientId, set, read, actor } = surfaces[name];
    for (const value of settingValues[key].good) {
      const before = (await eventsOf(clientId)).length;
      expect(await set(key, value)).toBeUndefined();
      expect([value, (await stored(clientId))?.[key]]).toEqual([value, value]);
      expect([value, await read(key)]).toEqual([value, value]);
      const event = (await eventsOf(clientId)).at(before);
      const { name: settingName } = protocolSettings[key];
      expect(event).toMatchObject({ event: 'application.changed', actor });
      expect(event?.detail['settings']).toMatchObject({ [settingName]: value });
      if (name === 'registration') continue; // it has no owner, so nobody has a page of it
      const entry = await newestEntry(clientId);
      expect(entry).toMatch(/Settings saved.*changed: /s);
      expect(inHistory(value).filter((text) => !entry.includes(text))).toEqual([]);
    }
  });

  test.each(settingKeys.filter((key) => settingValues[key].bad.length > 0))(
    'refuses bad values of %s, names it, and changes nothing',
    async (key) => {
      const { clientId, set } = surfaces[name];
      const [before, events] = [await stored(clientId), await eventsOf(clientId)];
      for (const value of settingValues[key].bad) {
        expect([value, await set(key, value)]).toEqual([
          value,
          expect.stringMatching(new RegExp(`${protocolSettings[key].name}.*\\S`)),
        ]);
      }
      expect(await stored(clientId)).toEqual(before);
      expect(await eventsOf(clientId)).toEqual(events);
    },
  );
});

test('the command refuses options that a flag does not have', async () => {
  const { clientId } = surfaces.command;
  for (const key of settingKeys.filter((one) => protocolSettings[one].input === 'flag')) {
    const { status, stdout } = await run(
      'app',
      'update',
      clientId,
      `--${protocolSettings[key].option}=maybe`,
      '--json',
    );
    expect([status, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'usage' } }]);
  }
});

test('strict is refused without keys, by the command and the form', async () => {
  const { clientId } = await auth.register({ owner: 'ada_lovelace', redirectUris: [callback], scopes: ['users'] });
  const before = await stored(clientId);
  expect(await commandFor(clientId).set('strict', true)).toContain('private_key_jwt');
  expect(await formOf(clientId).set('strict', true)).toMatch(/^strict: \S/);
  expect(await stored(clientId)).toEqual(before);
});
