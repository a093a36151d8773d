import { styleText } from 'node:util';

/** The addresses that `linnet start` prints. */
export interface Addresses {
  readonly service: string;
  readonly developer: string;
  readonly apiReference: string;
}

export function addressesOf(baseUrl: string): Addresses {
  return {
    service: baseUrl,
    developer: `${baseUrl}/developer`,
    apiReference: `${baseUrl}/api/v2.0/docs`,
  };
}

/** One address per line, styled, with a hint. */
export function toText({ service, developer, apiReference }: Addresses): string {
  const lines = [
    ['Service:       ', service],
    ['Developer area:', developer],
    ['API reference: ', apiReference],
  ] as const;
  const styled = lines.map(([label, address]) => `  ${styleText('bold', label)} ${styleText('underline', address)}`);
  return ['', ...styled, '', '  Press Ctrl-C to stop.', ''].join('\n');
}
