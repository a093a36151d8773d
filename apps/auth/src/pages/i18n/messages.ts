import type { Language } from '@linnet/contract/languages';

import { de } from './de/de.ts';
import { en } from './en/en.ts';
import type { Messages } from './en/en.ts';
import { es } from './es/es.ts';
import { fr } from './fr/fr.ts';

/** All texts of pages and mail, by language. */
export const catalogues: Readonly<Record<Language, Messages>> = { en, de, fr, es };
