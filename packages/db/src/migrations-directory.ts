import { fileURLToPath } from 'node:url';

/** `prisma/migrations` of this checkout or deployment. */
export const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
