import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Redocly neither reports its use nor looks for a newer version. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Of the root and of test/. */
const folders = ['node_modules', 'test/node_modules'].map((modules) => join(repositoryRoot, modules, '.bin'));
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
  const path = [dirname(process.execPath), ...folders, process.env['PATH'] ?? ''].join(delimiter);
  const tool = folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? name;
  const env = { ...process.env, PATH: path, NO_COLOR: '1', ...offline };
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  execFile(tool, args, { cwd: directory, env, maxBuffer: maxOutputBytes }, (error, stdout, stderr) => {
    if (error === null) resolve({ status: 0, stdout, stderr });
    else if (typeof error.code === 'number') resolve({ status: error.code, stdout, stderr });
    else reject(error);
  });
  return await promise;
}
