/** Code generators from npm. The compiler checks each program against the types of its client. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { compile, copyProgram, installPackages, listFiles, run, useJavaScript } from './installing.ts';
import type { Generated, Place } from './installing.ts';

/** Compiles what was generated together with the program, which is checked as well. */
async function toClient(folder: string, program: string, files = 'client.ts'): Promise<Generated['use']> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await compile(await listFiles(join(folder, files)));
  const copy = await copyProgram(program, folder);
  await compile([copy], ['--noEmit', '--allowJs', '--checkJs']);
  return useJavaScript(copy);
}

/** Types alone. */
export async function generateTypes({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPackages(folder, [`openapi-typescript@${version}`, 'openapi-fetch@0.15.0']);
  // Elsewhere, it takes the settings of the repository for its own.
  const { stdout, stderr } = await run(join(bin, 'openapi-typescript'), [document, '--output', 'linnet.d.ts'], {
    cwd: folder,
  });
  const program = await copyProgram('types_client', folder);
  await compile([program], ['--noEmit', '--allowJs', '--checkJs']);
  return { log: stdout + stderr, use: useJavaScript(program) };
}

export async function generateWithOazapfts({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPackages(folder, [`oazapfts@${version}`, '@oazapfts/runtime@1.2.0']);
  const { stdout, stderr } = await run(join(bin, 'oazapfts'), [document, join(folder, 'client.ts')]);
  return { log: stdout + stderr, use: await toClient(folder, 'oazapfts_client') };
}

export async function generateWithSwaggerTypescriptApi({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPackages(folder, [`swagger-typescript-api@${version}`]);
  const options = ['generate', '--path', document, '--output', folder, '--name', 'client.ts'];
  const { stdout, stderr } = await run(join(bin, 'swagger-typescript-api'), options, { cwd: folder });
  return { log: stdout + stderr, use: await toClient(folder, 'swagger_typescript_api_client') };
}

export async function generateWithOrval({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPackages(folder, [`orval@${version}`]);
  const output = { target: 'client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };
  const settings = join(folder, 'orval.config.mjs');
  await writeFile(settings, `export default ${JSON.stringify({ linnet: { input: document, output } })};\n`);
  const { stdout, stderr } = await run(join(bin, 'orval'), ['--config', settings], { cwd: folder });
  return { log: stdout + stderr, use: await toClient(folder, 'orval_client') };
}

export async function generateWithHeyApi({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPackages(folder, [`@hey-api/openapi-ts@${version}`, 'typescript@5.9.3']);
  const settings = join(folder, 'hey-api.config.mjs');
  const output = { path: join(folder, 'client'), importFileExtension: '.js' };
  await writeFile(settings, `export default ${JSON.stringify({ input: document, output })};\n`);
  const { stdout, stderr } = await run(join(bin, 'openapi-ts'), ['--file', settings], { cwd: folder });
  return { log: stdout + stderr, use: await toClient(folder, 'hey_api_client', 'client/**/*.ts') };
}
