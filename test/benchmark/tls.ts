import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { generate } from 'selfsigned';
import { Agent, setGlobalDispatcher } from 'undici';

import { createHttpBrowser } from '../support/http-browser.ts';
import { findFreePort } from '../support/service.ts';
import { applyLoad } from './load.ts';
import type { Effort } from './load.ts';
import { manyConnections, measureCost, startControl } from './measure.ts';
import { separateCores } from './pin.ts';
import { usageOfTrees } from './process-usage.ts';
import { createTargets, tokensInUse } from './targets.ts';
import { createWorld, exchangeCode, password } from './world.ts';
import type { SignedIn, World } from './world.ts';

/**
 * What ZITADEL 4.17.1 did on each core that its containers kept busy, without the database (its benchmarks of August 2026). It has
 * userinfo for applications, too; Linnet has the account of their owner.
 */
const peer: Readonly<Record<string, number>> = {
  'token + GET /users/show': 136,
  'POST /oauth/introspect': 124,
  'GET /oauth/userinfo': 274,
  'sign-in': 15.5,
};

interface Iterations {
  readonly name: string;
  readonly workerMicroseconds: number;
  readonly postgresMicroseconds: number;
}

/** Prints iterations for each second and each core that the service keeps busy. The process with the load terminates TLS. */
export async function measureBehindTls(effort: Effort, posts: number): Promise<true> {
  await using front = await startFront();
  // The certificate has no authority.
  setGlobalDispatcher(new Agent({ connect: { rejectUnauthorized: false } }));
  using control = await startControl();
  await using world = await createWorld({ posts, workers: 1, behind: front });
  await separateCores([control.pid, ...world.workerPids], [process.pid, ...world.postgresPids]);
  const measured = { ...world, control };
  for (const target of [tokensInUse(world), ...createTargets(world)].filter(({ name }) => name in peer)) {
    await applyLoad(target, 2, manyConnections);
    print({
      name: target.name,
      ...(await measureCost({ targets: [target], measured, connections: manyConnections }, effort)),
    });
  }
  await signInFor(world, 1);
  print(await signInFor(world, effort.seconds * effort.rounds));
  return true;
}

function print({ name, workerMicroseconds, postgresMicroseconds }: Iterations): void {
  const [core, both] = [workerMicroseconds, workerMicroseconds + postgresMicroseconds].map((cost) => 1_000_000 / cost);
  const times = (core ?? 0) / (peer[name] ?? Number.NaN);
  console.log(
    `${name.padEnd(24)} ${String(core?.toFixed(0))}/s for each core, ${String(both?.toFixed(0))}/s with PostgreSQL; ZITADEL ${String(peer[name])}/s (${times.toFixed(0)} times)`,
  );
}

/** Everybody signs in at once, over and over, each in a new browser: the page, the password, the consent that is there, the code and the tokens. */
async function signInFor({ service, signedIn, workerPids, postgresPids }: World, seconds: number): Promise<Iterations> {
  const usage = async () => await Promise.all([workerPids, postgresPids].map(usageOfTrees));
  const [before, endsAt] = [await usage(), performance.now() + seconds * 1000];
  let calls = 0;
  const lanes = signedIn.slice(0, 8).map(async (person) => {
    while (performance.now() < endsAt) {
      await signInAnew(service.baseUrl, person);
      calls += 1;
    }
  });
  await Promise.all(lanes);
  const after = await usage();
  const [worker = 0, postgres = 0] = after.map(
    (one, index) => one.cpuMicroseconds - (before[index]?.cpuMicroseconds ?? 0),
  );
  return { name: 'sign-in', workerMicroseconds: worker / calls, postgresMicroseconds: postgres / calls };
}

async function signInAnew(baseUrl: string, { authorizePath, client, codeVerifier, login }: SignedIn): Promise<void> {
  const browser = createHttpBrowser([baseUrl]);
  const page = await browser.open(`${baseUrl}${authorizePath}`);
  const { url, html } = await browser.submit(page, 'login', { login, password });
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`${login} is not signed in: ${url.href} ${html}`);
  await exchangeCode(baseUrl, { client, codeVerifier, code });
}

interface Front extends AsyncDisposable {
  readonly baseUrl: string;
  /** To which it passes connections on. */
  readonly port: number;
}

async function startFront(): Promise<Front> {
  const port = await findFreePort();
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createServer({ cert, key }, (socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const one of [socket, behind]) {
      one.setNoDelay(true);
      one.on('error', () => undefined);
    }
    socket.on('close', () => behind.destroy()).pipe(behind);
    behind.on('close', () => socket.destroy()).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo; // of a TCP server
  return {
    baseUrl: `https://localhost:${String(own)}`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await Promise.resolve();
    },
  };
}
