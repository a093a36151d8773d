/** Parts that several responses share. */
import { z } from 'zod';

export const bitSchema = z.union([z.literal(0), z.literal(1)]);

export const counterSchema = z.int().min(0);

export const countResponse = z.object({ count: counterSchema });

export const succeededResponse = z.object({ status: z.literal('succeeded'), message: z.string() });
