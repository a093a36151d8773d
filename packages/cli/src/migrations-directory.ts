import { fileURLToPath } from 'node:url';

/** The migrations of the checkout. */
export const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
