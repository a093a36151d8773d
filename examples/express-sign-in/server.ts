/** "Sign in with Linnet" on an Express server: `node server.ts --client-id app_…`, with CLIENT_SECRET. */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';

import { AuthorizationError, createApplication, memoryStore, SignInRequired } from '@linnet/sdk';
import type { SignInAttempt, TokenStore } from '@linnet/sdk';
import express from 'express';
import type { NextFunction, Request, Response } from 'express';

/** What the server knows about a browser. */
interface Session {
  readonly attempt?: SignInAttempt;
  readonly store?: TokenStore;
}

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { issuer: text, 'client-id': text, port: text } });
const { issuer = 'http://localhost:3000', 'client-id': clientId = '', port = '4000' } = values;
const home = `http://127.0.0.1:${port}`;
const application = createApplication({ issuer, clientId, clientSecret: process.env['CLIENT_SECRET'] });

// In memory, so a restart signs everyone out. Use your database instead.
const sessions = new Map<string, Session>();

function findSession(request: Request): Session {
  const [, id = ''] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  return sessions.get(id) ?? {};
}

/** A new id for each change, so that nobody can give a visitor a session that they know. */
function startSession(response: Response, session: Session): void {
  const id = randomUUID();
  sessions.set(id, session);
  response.cookie('session', id, { httpOnly: true, sameSite: 'lax', secure: home.startsWith('https:') });
}

const app = express();
app.use(express.urlencoded({ extended: false }));

app.get('/', async (request, response) => {
  const { store } = findSession(request);
  if (store === undefined) {
    response.send(page('<a href="/sign-in">Sign in with Linnet</a>'));
    return;
  }
  const me = await application.asPerson(store).users.show();
  const form = '<form method="post" action="/sign-out"><button name="sign-out">Sign out</button></form>';
  response.send(page(`<p>Signed in as ${escape(me.username)}</p>${form}`));
});

app.get('/sign-in', async (_request, response) => {
  const redirectUri = `${home}/callback`;
  const { url, attempt } = await application.beginSignIn({ redirectUri, scope: 'users posts' });
  startSession(response, { attempt });
  response.redirect(url.href);
});

app.get('/callback', async (request, response) => {
  const { attempt } = findSession(request);
  if (attempt === undefined) {
    response.redirect('/');
    return;
  }
  // Checks state and iss, and exchanges the code with the PKCE verifier.
  const tokens = await application.finishSignIn(new URL(request.originalUrl, home), attempt);
  startSession(response, { store: memoryStore(tokens) });
  response.redirect('/');
});

// SameSite=Lax: other sites cannot send this form.
app.post('/sign-out', async (request, response) => {
  const { store } = findSession(request);
  response.clearCookie('session');
  if (store !== undefined) await application.signOut(store);
  response.redirect(303, '/');
});

// The person declined, or the access was revoked: they can sign in again.
// oxlint-disable-next-line max-params -- Express recognizes error handlers by their four parameters
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (!(error instanceof AuthorizationError)) {
    next(error);
    return;
  }
  response.clearCookie('session');
  const reason = error instanceof SignInRequired ? 'Your access has ended.' : 'You are not signed in.';
  response.status(401).send(page(`<p>${reason}</p><a href="/sign-in">Sign in with Linnet</a>`));
});

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Express</title><main>${content}</main></html>`;
}

function escape(plain: string): string {
  return plain.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

app.listen(Number(port), '127.0.0.1', () => process.stdout.write(`Open ${home}/\n`));
