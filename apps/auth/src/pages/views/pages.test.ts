import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';

import { findElements, textOf } from '@linnet/test/auth/html';
import { samplePage } from '@linnet/test/auth/sample-pages';

function htmlOf(page: string, name?: string): string {
  return renderToString(samplePage(page, name));
}

/** Name and value of each field that a form can send, the token aside. */
function fieldsOf(html: string): readonly string[] {
  return findElements(html)
    .filter(
      ({ tag, attributes }) =>
        ['input', 'textarea', 'button'].includes(tag) && (attributes['name'] ?? 'csrf') !== 'csrf',
    )
    .map(({ attributes: { name, type, value = '' } }) =>
      ['checkbox', 'radio', 'hidden', undefined].includes(type) ? `${name ?? ''}=${value}` : (name ?? ''),
    );
}

function tickedIn(html: string): readonly string[] {
  return findElements(html, 'input')
    .filter(({ attributes }) => 'checked' in attributes)
    .map(({ attributes: { name = '', value = '' } }) => `${name}=${value}`);
}

function testIdsIn(html: string): readonly string[] {
  return findElements(html).flatMap(({ attributes }) => attributes['data-testid'] ?? []);
}

describe('operations: Forms', () => {
  test('sign-in and registration', () => {
    expect(fieldsOf(htmlOf('login'))).toEqual(['login', 'password']);
    expect(fieldsOf(htmlOf('register'))).toEqual(['first_name', 'last_name', 'username', 'email', 'password']);
  });

  test('consent: two buttons, optional scopes checked, no field for required ones', () => {
    const html = htmlOf('consent');
    expect(fieldsOf(html)).toEqual([
      'decision=switch-account',
      'scope=email',
      'scope=profile',
      'duration=hour',
      'duration=day',
      'duration=month',
      'duration=until_stopped',
      'decision=deny',
      'decision=allow',
    ]);
    expect(tickedIn(html)).toEqual(['scope=email', 'scope=profile', 'duration=until_stopped']);
  });

  test('UI5: Deny and Authorize have equal weight', () => {
    const buttons = findElements(htmlOf('consent'), 'button').filter(
      ({ attributes }) => attributes['name'] === 'decision',
    );
    const classes = buttons.map(({ attributes }) => attributes['class']);
    expect(classes).toHaveLength(2);
    expect(classes[0]).toBe(classes[1]);
  });

  test('create application: one page, one form', () => {
    const html = htmlOf('create application');
    expect(findElements(html, 'form')).toHaveLength(1);
    expect(fieldsOf(html)).toEqual([
      'name',
      'type=confidential',
      'type=public',
      'type=native',
      'type=backend',
      'redirect_uris=',
      'scope=users',
      'reason_users',
      'scope=posts',
      'reason_posts',
      'scope=email',
      'reason_email',
      'scope=users:read',
      'reason_users:read',
      'scope=posts:read',
      'reason_posts:read',
      'scope=posts:propose',
      'reason_posts:propose',
      'scope=openid',
      'reason_openid',
      'jwks_uri',
      'act_as_owner=yes',
      'implicit=yes',
      expect.stringMatching(/^settings=strict grant_types require_pkce /),
      'strict=yes',
      'grant_types=authorization_code',
      'grant_types=refresh_token',
      'grant_types=client_credentials',
      'grant_types=urn:ietf:params:oauth:grant-type:device_code',
      'require_pkce=yes',
      'require_pushed_authorization_requests=yes',
      'dpop_bound_access_tokens=yes',
      ...['any', 'ES256', 'PS256', 'EdDSA', 'RS256'].map((alg) => `token_endpoint_auth_signing_alg=${alg}`),
      'accept_endpoint_audience=yes',
      'access_token_lifetime',
      'refresh_token_lifetime',
      'id_token_signed_response_alg=RS256',
      'id_token_signed_response_alg=ES256',
      'post_logout_redirect_uris=',
      'backchannel_logout_uri',
      'backchannel_logout_session_required=yes',
    ]);
    const flows = ['grant_types=authorization_code', 'grant_types=refresh_token', 'grant_types=client_credentials'];
    expect(tickedIn(html)).toEqual([
      'type=confidential',
      'scope=users',
      'scope=posts',
      'act_as_owner=yes',
      ...flows,
      'token_endpoint_auth_signing_alg=any',
      'id_token_signed_response_alg=RS256',
    ]);
  });
});

describe('operations: Details', () => {
  test.each([
    ['logout', ['sign-out']],
    ['created', ['client-id', 'client-secret']],
    ['created without a secret', ['client-id']],
    ['application', ['client-id', 'retire-secret', 'retire-secret', 'add-secret', 'what-breaks', 'delete-application']],
    [
      'application credentials',
      ['client-id', 'rename-secret', 'retire-secret', 'rename-secret', 'retire-secret', 'add-secret', 'set-keys'],
    ],
    ['application danger', ['resume-application', 'what-breaks', 'delete-application']],
    ['application danger, not deleted', ['pause-application', 'delete-application']],
    ['application credentials, registered keys', ['client-id', 'set-keys', 'set-secret']],
    ['public application', ['client-id', 'delete-application']],
    ['connected application', ['access-ends', 'change-application', 'revoke-application']],
    ['sessions', ['end-session', 'end-all-sessions']],
    ['password', ['change-password']],
  ])('10: %s has %j', (name, testIds) => {
    expect(testIdsIn(htmlOf(name))).toEqual(testIds);
  });

  test('10: each connected app has its own form', () => {
    const testIds = testIdsIn(htmlOf('connected applications'));
    expect(testIds.filter((one) => one === 'revoke-application')).toHaveLength(4);
  });

  test('10: the forms of dangerous actions', () => {
    expect(fieldsOf(htmlOf('public application'))).toContain('confirm');
    const actionsOf = (name: string) => fieldsOf(htmlOf(name)).filter((field) => /^(?:action|secret)=/.test(field));
    const retiring = ['action=retire-secret', 'secret=1', 'action=retire-secret', 'secret=2'];
    expect(actionsOf('application')).toEqual([...retiring, 'action=add-secret', 'action=delete']);
    expect(actionsOf('application credentials')).toEqual([
      'action=rename-secret',
      'secret=1',
      'action=retire-secret',
      'secret=1',
      'action=rename-secret',
      'secret=2',
      'action=retire-secret',
      'secret=2',
      'action=add-secret',
      'action=set-keys',
    ]);
    expect(actionsOf('application danger')).toEqual(['action=resume', 'action=delete']);
    expect(fieldsOf(htmlOf('password'))).toEqual(['current_password', 'new_password']);
    expect(fieldsOf(htmlOf('sessions'))).toEqual(['action=end', 'session=b', 'action=end-all']);
    expect(fieldsOf(htmlOf('connected applications'))).toEqual([
      'client_id=app_8Jr2tqkVZ0mXwL5yNcD3bQ',
      'client_id=b',
      'client_id=https://agent.example/client.json',
      'client_id=c',
    ]);
  });

  test.each([
    'login, failed',
    'register, refused',
    'create application, refused',
    'application danger, not deleted',
    'application settings, refused',
    'password, refused',
  ])('9: %s says so at once', (name) => {
    const alerts = findElements(htmlOf(name)).filter(({ attributes }) => attributes['role'] === 'alert');
    expect(alerts).toHaveLength(1);
  });

  test.each([
    ['register, refused', ['first_name', 'email']],
    ['create application, refused', ['name', 'redirect_uris', 'jwks_uri', 'implicit']],
    ['application settings, refused', ['name', 'redirect_uris', 'implicit']],
    ['application danger, not deleted', ['confirm']],
    ['password, refused', ['current_password', 'new_password']],
    ['register', []],
  ])('9: %s marks %j', (page, names) => {
    const wrong = findElements(htmlOf(page)).filter(({ attributes }) => attributes['aria-invalid'] === 'true');
    expect(wrong.map(({ attributes }) => attributes['name'])).toEqual(names);
  });

  test('9: entered values are shown again, passwords are not', () => {
    const inputs = findElements(htmlOf('register, refused'), 'input');
    const typed = Object.fromEntries(inputs.map(({ attributes: { name = '', value } }) => [name, value]));
    expect(typed).toMatchObject({ first_name: 'Weather Bird', email: 'Weather Bird' });
    expect(typed['password']).toBeUndefined();
  });
});

describe('the texts of pages', () => {
  test('sibling pages have different titles', () => {
    const beside = ['', ' usage', ' history', ' appearance'].map((page) => `application${page}`);
    const pages = [...beside, 'my applications', 'connected applications', 'connected application'];
    const titles = pages.map((page) => /<title>(.*?)<\/title>/.exec(htmlOf(page))?.[1]);
    expect(new Set(titles).size).toBe(pages.length);
  });

  test('the labels of the developer area', () => {
    expect(/<h1>My applications<\/h1>/.test(htmlOf('my applications'))).toBe(true);
    expect(
      /<a class="button" href="\/developer\/applications\/new">Create application<\/a>/.test(htmlOf('my applications')),
    ).toBe(true);
    expect(/<h1>Create application<\/h1>/.test(htmlOf('create application'))).toBe(true);
    expect(/<button class="button">Create application<\/button>/.test(htmlOf('create application'))).toBe(true);
  });

  test('UI5: consent names application, developer, host, account, permissions and expiry', () => {
    const text = textOf(htmlOf('consent'));
    expect(text).toContain('Weather Bird wants to access your account');
    expect(text).toContain('Read and write posts as you');
    expect(text).toContain('Returns you to Weather Bird');
    expect(text).toContain('Developer @Weather Bird');
    expect(text).toContain('You are signed in as @Weather Bird');
    expect(text).toContain('Access expires After 1 hour After 24 hours After 30 days When you revoke it');
    expect(text).not.toContain('address bar');
    expect(textOf(htmlOf('consent, implicit'))).toContain('its access expires after 10 minutes');
    expect(textOf(htmlOf('consent, implicit'))).toContain('address bar');
  });

  test.each(['created', 'application'])(
    '%s: the command to try the application does not contain its secret',
    (name) => {
      expect(textOf(htmlOf(name))).toContain(
        'curl -u app_8Jr2tqkVZ0mXwL5yNcD3bQ -d grant_type=client_credentials http://localhost:3000/oauth/token',
      );
    },
  );

  test('no link leaves an authorization in progress', () => {
    for (const name of ['consent', 'login, failed', 'register']) {
      const html = htmlOf(name);
      expect(html).not.toContain('/developer');
      expect(html).not.toContain('<a class="brand"');
      expect(html).not.toContain('href="/logout"');
    }
  });

  test('a stale form links to its page, and only http URLs link back', () => {
    expect(/<a class="button" href="\?a=b">Start over<\/a>/.test(htmlOf('stale form'))).toBe(true);
    const link = htmlOf('error with a way back', 'https://app.example.com/?error=access_denied');
    expect(link).toContain('href="https://app.example.com/?error=access_denied"');
    expect(htmlOf('error with a way back', 'com.example.app:/callback')).not.toContain('href="com.example.app');
  });
});
