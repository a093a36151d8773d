import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownDirectory = fileURLToPath(new URL('.', import.meta.url));

/**
 * The directory that holds the installation, whatever the working directory is: the root of a checkout, or the directory
 * that `pnpm deploy` created.
 */
export const installationDirectory = findInstallation(ownDirectory);

/** @param directory Of this file: `…/packages/service/dist/`, or `…/node_modules/…/@linnet/service/dist/`. */
export function findInstallation(directory: string): string {
  const inCheckout = /^(.+)[/\\]packages[/\\]service[/\\](?:src|dist)[/\\]$/.exec(directory)?.[1];
  return inCheckout ?? directory.slice(0, directory.indexOf(`${sep}node_modules${sep}`));
}
