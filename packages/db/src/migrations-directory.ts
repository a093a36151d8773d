import { fileURLToPath } from 'node:url';

/** Absolute path of `prisma/migrations` in this checkout or deployment. */
export const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
