import { sendBodies } from './bodies.ts';
import { changeClock, startClockWorld, startDatabaseClockWorld } from './clock.ts';
import { holdIdleConnections, sendSlowly } from './connections.ts';
import { exhaustDescriptors } from './descriptors.ts';
import { crashPrimaries, losePrimaries, loseStandbys, silencePrimaries, switchPrimaries } from './hosts.ts';
import { startHostsWorld } from './hosts-world.ts';
import { killProcesses } from './kills.ts';
import { cutNetwork, delayNetwork, loseResponses, silenceNetwork } from './network.ts';
import { sendGenerated } from './requests.ts';
import type { Scenario } from './scenario.ts';
import { soak } from './soak.ts';
import { fillVolume, startSmallWorld } from './volume.ts';

const megabyte = 1024 * 1024;
const soakSeconds = Number(process.env['SOAK_SECONDS'] ?? 3600);
const hostLosses = Number(process.env['HOST_LOSSES'] ?? 10);
const fewer = Math.ceil(hostLosses / 3);
const generatedRequests = Number(process.env['GENERATED_REQUESTS'] ?? 100_000);

/** Every fault. `size` is a number of kills, connections, bytes or requests, or of seconds. */
export const scenarios: readonly Scenario[] = [
  { title: 'the network to the database is slow', size: { long: 20 }, cause: delayNetwork },
  { title: 'the network to the database is cut', size: { short: 0.3, long: 10 }, cause: cutNetwork },
  { title: 'the database is silent, and its connections stay open', size: { long: 15 }, cause: silenceNetwork },
  { title: 'the responses of the database are lost', size: { long: 15 }, cause: loseResponses },
  { title: 'no file descriptors are left', size: { short: 0.3, long: 10 }, cause: exhaustDescriptors },
  { title: 'idle connections', size: { long: 10_000 }, cause: holdIdleConnections },
  { title: 'connections that send slowly', size: { short: 50, long: 2000 }, cause: sendSlowly },
  { title: 'bodies without end', size: { long: 1024 * megabyte }, cause: sendBodies },
  {
    title: 'generated requests to every endpoint',
    size: { short: 200, long: generatedRequests },
    cause: sendGenerated,
  },
  { title: 'a worker, the primary and PostgreSQL are killed', size: { short: 2, long: 50 }, cause: killProcesses },
  ...[
    { title: 'the host of the primary is lost', size: { long: hostLosses }, cause: losePrimaries },
    { title: 'the host of the primary is silent', size: { long: fewer }, cause: silencePrimaries },
    { title: 'PostgreSQL of the primary is killed', size: { long: fewer }, cause: crashPrimaries },
    { title: 'the host of the standby is lost', size: { long: fewer }, cause: loseStandbys },
    { title: 'the primary is switched', size: { long: fewer }, cause: switchPrimaries },
  ].map((scenario) => ({ ...scenario, startWorld: startHostsWorld })),
  { title: 'the volume is full', size: { long: 10 }, cause: fillVolume, startWorld: startSmallWorld },
  { title: 'the clock changes', size: { long: 5 }, cause: changeClock, mayExpire: true, startWorld: startClockWorld },
  {
    title: 'the clock of PostgreSQL changes',
    size: { long: 5 },
    cause: changeClock,
    startWorld: startDatabaseClockWorld,
  },
  { title: 'load for a long time', size: { long: soakSeconds }, cause: soak },
];
