/** openapi-generator is one file of Java, with all languages. */
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  compile,
  copyProgram,
  install,
  installPython,
  listFiles,
  run,
  runGo,
  sources,
  useJavaScript,
  usePython,
} from './installing.ts';
import type { Generated, Place } from './installing.ts';

/** All languages share the program. */
async function runOpenapiGenerator({ folder, version }: Place, options: readonly string[]): Promise<string> {
  const shared = join(folder, '..');
  const program = join(shared, `openapi-generator-cli-${version}.jar`);
  if (!existsSync(program)) {
    const artifact = `org.openapitools:openapi-generator-cli:${version}`;
    const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${shared}`];
    await install('mvn', ['--quiet', '--batch-mode', ...copy], { cwd: folder });
  }
  // The source of the client alone.
  const parts = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`).join(',');
  const output = ['--global-property', parts, '--output', join(folder, 'client')];
  // Compiling less saves half of the CPU time of such a short run.
  const start = ['-XX:TieredStopAtLevel=1', '-jar', program, 'generate'];
  const { stdout, stderr } = await run('java', [...start, ...output, ...options]);
  return stdout + stderr;
}

export async function generateTypeScript(place: Place): Promise<Generated> {
  const { folder, document } = place;
  const options = ['-g', 'typescript-fetch', '-i', document, '--additional-properties=importFileExtension=.js'];
  const log = await runOpenapiGenerator(place, options);
  const client = join(folder, 'client');
  await writeFile(join(client, 'package.json'), '{ "type": "module" }');
  await compile(await listFiles(join(client, '**/*.ts')));
  return { log, use: useJavaScript(await copyProgram('generator_client', client)) };
}

export async function generatePython(place: Place): Promise<Generated> {
  const { folder, document } = place;
  const client = join(folder, 'client');
  const options = ['-g', 'python', '-i', document, '--package-name', 'linnet_generated'];
  const log = await runOpenapiGenerator(place, options);
  const bin = await installPython(folder, ['-r', join(client, 'requirements.txt')]);
  return { log, use: usePython(bin, 'generator_client.py', client) };
}

export async function generateGo(place: Place): Promise<Generated> {
  const { folder, document } = place;
  const options = ['-g', 'go', '-i', document, '--additional-properties=packageName=linnet,withGoMod=false'];
  const log = await runOpenapiGenerator(place, options);
  await copyFile(join(sources, 'generator_client.go'), join(folder, 'main.go'));
  return { log, use: await runGo(folder) };
}

/** The libraries are those of a Debian package, because Composer may be missing. */
export async function generatePhp(place: Place): Promise<Generated> {
  const { folder, document } = place;
  const options = ['-g', 'php', '-i', document, '--additional-properties=invokerPackage=Linnet'];
  const log = await runOpenapiGenerator(place, options);
  const env = { GENERATED: join(folder, 'client/lib') };
  const program = join(sources, 'generator_client.php');
  return { log, use: async (of) => (await run('php', [program], { env: { ...of, ...env } })).stdout };
}

export async function generateJava(place: Place): Promise<Generated> {
  const { folder, document } = place;
  const name = 'net.example.linnet';
  const packages = ['--invoker-package', name, '--api-package', `${name}.api`, '--model-package', `${name}.model`];
  const options = ['-g', 'java', '--library', 'native', '-i', document];
  const log = await runOpenapiGenerator(place, [...options, ...packages]);
  const [client, classes, classPath] = ['client', 'classes', 'class-path'].map((one) => join(folder, one));
  const build = ['dependency:build-classpath', `-Dmdep.outputFile=${String(classPath)}`];
  await install('mvn', ['--quiet', '--batch-mode', '--file', join(String(client), 'pom.xml'), ...build]);
  const libraries = (await readFile(String(classPath), 'utf8')).trim();
  const files = await listFiles(join(String(client), 'src/main/java/**/*.java'));
  const program = join(sources, 'GeneratorClient.java');
  await run('javac', ['-nowarn', '-cp', libraries, '-d', String(classes), ...files, program]);
  const start = ['-cp', `${libraries}:${String(classes)}`, 'GeneratorClient'];
  return { log, use: async (env) => (await run('java', start, { env })).stdout };
}
