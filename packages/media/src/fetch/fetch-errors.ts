import { TargetRefused } from './fetch-target.ts';

/** The file is larger than `maxBytes`. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** The file could not be fetched. The cause is for the log and must not reach the caller (MD4). */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

const ofTls = /^(?:CERT|CRL|DEPTH_ZERO|EPROTO|ERR_SSL|ERR_TLS|HOSTNAME|INVALID|SELF_SIGNED|UNABLE_TO)/;

/** What may be said about a failure to the owner of the address, once every address of the host was found to be public (MD4). */
export function publicFailure({ cause }: FetchFailed): 'not-public' | 'tls' | 'timeout' | 'no-connection' {
  if (cause instanceof TargetRefused) return 'not-public';
  // What Node.js and undici throw has these members, or none.
  const { name = '', code = '' } = cause as { readonly name?: string; readonly code?: string | number };
  if (ofTls.test(String(code))) return 'tls';
  return name.includes('Timeout') || String(code).includes('TIMEDOUT') ? 'timeout' : 'no-connection';
}
