#!/usr/bin/env node
// The command of the package, see ../src/listen.ts.
import { parseArgs } from 'node:util';

import { createWebhookSecret, listen } from '../dist/listen.js';

const usage = `Usage: linnet-sdk listen --forward URL [options]

Sends the events of an application to a server on this machine, signed as webhooks, without an endpoint.
CLIENT_ID and CLIENT_SECRET in the environment are those of the application.

  --forward URL     where to send them, such as http://localhost:4000/webhooks
  --issuer URL      the service; default: LINNET_ISSUER, or http://localhost:3000
  --events a,b      only these, such as post.created,mention.created
  --secret whsec_…  the signing secret; default: a new one
  --print           also shows what is sent
`;

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`linnet-sdk: ${problem}\n\n${usage}`);
  process.exit(2);
}

/** @returns {{ values: Record<string, any>, positionals: string[] }} */
function parse() {
  const options = /** @type {const} */ ({
    ...{ forward: { type: 'string' }, issuer: { type: 'string' }, events: { type: 'string', default: '' } },
    ...{ secret: { type: 'string' }, print: { type: 'boolean', default: false }, help: { type: 'boolean' } },
  });
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse(error.message);
  }
}

/** @param {string} name @param {string} value */
function requireUrl(name, value) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.username === '' && ['http:', 'https:'].includes(url.protocol);
  if (!isPlain) refuse(`${name} is not a URL: ${value}`);
}

/** @param {{ code?: string, status?: number, message: string }} error */
function describe({ code, status, message }) {
  const hint = 'check CLIENT_ID and CLIENT_SECRET, and that the application is neither suspended nor paused';
  if (code === 'invalid_client') return `${message}: ${hint}`;
  return status === undefined ? `${message}: ${issuer}` : message;
}

const { values, positionals } = parse();
const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', LINNET_ISSUER } = process.env;
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
if (positionals.join(' ') !== 'listen') refuse('the only command is listen');
const { forward = '', issuer = LINNET_ISSUER ?? 'http://localhost:3000', secret = createWebhookSecret() } = values;
if (forward === '') refuse('--forward is missing');
requireUrl('--forward', forward);
requireUrl('--issuer', issuer);
if (!/^whsec_(?=.{32})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret)) {
  refuse('--secret is not whsec_ and Base64 of 24 bytes or more');
}
if (clientId === '' || clientSecret === '') refuse('CLIENT_ID or CLIENT_SECRET is missing in the environment');

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
const { events, print } = values;
const { signal } = stopping;
const say = (line) => process.stdout.write(`${line}\n`);
try {
  await listen({ ...{ issuer, clientId, clientSecret, forward, secret, events, print }, signal, say });
} catch (error) {
  if (!signal.aborted) {
    process.stderr.write(`linnet-sdk: ${describe(error)}\n`);
    process.exitCode = error.status === 400 ? 2 : 1;
  }
}
