import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { PeerCertificate } from 'node:tls';

import { isLoopbackHost } from '@linnet/service/config/environment';
import { z } from 'zod';

import type { Config } from '../config.ts';
import { CheckFailed, findReason, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';

interface AddressOptions extends Pick<Config, 'baseUrl'> {
  /** Where the API reads the public keys. */
  readonly jwksUrl: string;
  /** The keys that the database has now; undefined if it could not be read. */
  readonly kids: readonly string[] | undefined;
  /** Whether the server runs on this machine. Otherwise BASE_URL need not respond. */
  readonly isRunning: boolean;
}

const patienceMs = 5000;

/** BASE_URL as clients see it, through the proxy: its certificate, and the public keys of this service. */
export async function checkAddress(options: AddressOptions): Promise<readonly Check[]> {
  const { baseUrl } = options;
  const certificate = baseUrl.startsWith('https:') ? [await checkCertificate(new URL(baseUrl))] : [];
  return [...certificate, await runCheck('public-keys', async () => await checkPublicKeys(options))];
}

function checkCertificate(url: URL): Promise<Check> {
  return runCheck('certificate', async () => {
    const { certificate, problem } = await readCertificate(url).catch((error: unknown) => {
      throw new CheckFailed(
        `BASE_URL: there is no TLS connection to ${url.host} (${findReason(error)})`,
        'Check the name in DNS, and that the proxy runs and that this machine reaches it.',
        { cause: error },
      );
    });
    return describeCertificate(certificate, { now: Date.now(), problem });
  });
}

interface ReadCertificate {
  readonly certificate: Pick<PeerCertificate, 'valid_to'>;
  /** Why Node.js does not trust it, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
  readonly problem: string | undefined;
}

async function readCertificate({ hostname, port }: URL): Promise<ReadCertificate> {
  const host = hostname.replaceAll(/[[\]]/g, '');
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(port || 443), ...name, rejectUnauthorized: false });
  try {
    await new Promise((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject);
      socket.setTimeout(patienceMs, () => reject(new Error(`no answer within ${String(patienceMs / 1000)} s`)));
    });
    const problem = socket.authorized ? undefined : findReason(socket.authorizationError);
    return { certificate: socket.getPeerCertificate(), problem };
  } finally {
    socket.destroy();
  }
}

const msPerDay = 86_400_000;
const fewDays = 14;
const renewal = 'Renew the certificate, look at what should renew it, and reload the proxy.';

interface CertificateState {
  readonly now: number;
  readonly problem: string | undefined;
}

/** @throws CheckFailed if clients refuse the certificate */
export function describeCertificate(
  { valid_to: end }: ReadCertificate['certificate'],
  { now, problem }: CertificateState,
): Finding {
  const days = Math.floor((Date.parse(end) - now) / msPerDay);
  if (days < 0) throw new CheckFailed(`The certificate of BASE_URL expired on ${end}.`, renewal);
  if (problem !== undefined) {
    throw new CheckFailed(
      `The certificate of BASE_URL is not trusted (${problem}).`,
      'Let the proxy send the whole chain of a certificate for this name. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.',
    );
  }
  const detail = `valid for ${String(days)} days, until ${end}`;
  return days < fewDays ? { detail, warning: true, remedy: renewal } : { detail };
}

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) });

async function checkPublicKeys({ jwksUrl, kids, baseUrl, isRunning }: AddressOptions): Promise<string | Finding> {
  const url = new URL(jwksUrl);
  if (!isRunning && isLoopbackHost(url.hostname)) return 'not checked, because the service does not run';
  try {
    const served = await readKeys(url);
    if (kids?.every((kid) => served.includes(kid)) === false) {
      throw new CheckFailed(
        `${jwksUrl} has the keys of another service.`,
        'Check BASE_URL, JWKS_URL and the proxy: this path leads to the authorization server with the same DATABASE_URL.',
      );
    }
    return `${jwksUrl} has the keys of this service`;
  } catch (error) {
    if (error instanceof CheckFailed && isRunning) throw error;
    const detail = error instanceof CheckFailed ? error.message : `${jwksUrl} cannot be read (${findReason(error)}).`;
    const remedy = `Check that the authorization server runs, and that the proxy of ${baseUrl} passes this path to it.`;
    if (isRunning) throw new CheckFailed(detail, remedy, { cause: error });
    return { detail, warning: true, remedy };
  }
}

async function readKeys(url: URL): Promise<readonly string[]> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
  if (response.status !== 200) throw new Error(`status ${String(response.status)}`);
  return keySet.parse(await response.json()).keys.map(({ kid }) => kid);
}
