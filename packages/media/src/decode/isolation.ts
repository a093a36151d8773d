import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface IsolationOptions {
  /** The script of the process. */
  readonly script: string;
  /** The only files that the process may read and write, as a path that ends in `*`. */
  readonly jobFiles: string;
}

/**
 * Node's permission model for the decoder process: its JavaScript can read its own modules and the files of jobs,
 * write the files of jobs, and neither start a process nor a thread. So it reads neither DATA_DIR nor `/proc`. It
 * allows the native module of sharp, because it must: code that takes over the decoder through that library has the
 * rights of the process, not those of the model.
 *
 * The model does not restrict network connections.
 */
export function isolationArguments({ script, jobFiles }: IsolationOptions): readonly string[] {
  const readable = [script, packageDirectory, modulesDirectory, jobFiles];
  return [
    permission,
    '--allow-addons',
    // Node warns that native modules can do more.
    '--disable-warning=PERM0001',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${jobFiles}`,
  ];
}

/** The name of the option before Node 22.13. */
const experimental = '--experimental-permission';
const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : experimental;
const packageDirectory = withEverythingBelow(new URL('../../', import.meta.url));
/** `node_modules` of the installation, which contains sharp and its dependencies. */
const modulesDirectory = withEverythingBelow(
  new URL(import.meta.resolve('sharp').replace(/(\/node_modules\/).*$/, '$1')),
);

function withEverythingBelow(directory: URL): string {
  return `${fileURLToPath(directory).replace(/[\\/]$/, '')}${sep}*`;
}
