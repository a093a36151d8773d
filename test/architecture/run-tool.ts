import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

const binaries = join(repositoryRoot, 'node_modules', '.bin');
const maxOutputBytes = 64 * 1024 * 1024;

interface ToolResult {
  /** 0 if nothing was found. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a tool of the repository in `directory`. A status other than 0 is not an error here.
 * @throws Error when the tool cannot be started or was killed.
 */
export async function runTool(name: string, args: readonly string[], directory: string): Promise<ToolResult> {
  const path = [dirname(process.execPath), binaries, process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH: path, NO_COLOR: '1', TURBO_TELEMETRY_DISABLED: '1' };
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  execFile(join(binaries, name), args, { cwd: directory, env, maxBuffer: maxOutputBytes }, (error, stdout, stderr) => {
    if (error === null) resolve({ status: 0, stdout, stderr });
    else if (typeof error.code === 'number') resolve({ status: error.code, stdout, stderr });
    else reject(error);
  });
  return await promise;
}
