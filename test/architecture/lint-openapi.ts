/** `pnpm check:openapi`: lints the OpenAPI document. */
import { repositoryRoot, runTool } from './run-tool.ts';

const { status, stdout, stderr } = await runTool('redocly', ['lint'], repositoryRoot);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
