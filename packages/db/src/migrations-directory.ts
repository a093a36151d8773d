import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inCheckout = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
/** The build copies them; `pnpm deploy` has no other files of the repository. */
const inDeployment = fileURLToPath(new URL('migrations', import.meta.url));

/** Absolute path of the migrations: `prisma/migrations` in a checkout. */
export const migrationsDirectory = existsSync(inCheckout) ? inCheckout : inDeployment;
