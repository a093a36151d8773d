// `node server.mjs auth`, `node server.mjs api`: one of the two servers, as its own process.
import { launch } from './launch.mjs';

await launch(process.argv[2] ?? '');
