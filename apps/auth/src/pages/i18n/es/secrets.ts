import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';

const counted = countingIn('es');
const times = (uses: number): string => counted(uses, { one: () => 'una vez', other: (number) => `${number} veces` });

/** Texts of the secrets of an application, in Spanish. */
export const secrets = {
  title: 'Secretos',
  intro:
    'Para cambiar un secreto sin interrupciones, añade otro, pasa tus servidores a él y retira después el antiguo. Al retirar un secreto se revocan los tokens de acceso; tus servidores piden otros con el secreto nuevo.',
  none: 'No hay ningún secreto que funcione. Añade uno, o la aplicación no podrá pedir tokens.',
  called: (day: string) => `Secreto del ${day}`,
  created: (day: string) => `Añadido el ${day}`,
  neverUsed: 'nunca usado',
  used: (uses: number, minute: string) => `usado ${times(uses)}, la última el ${minute}`,
  ends: (minute: string) => `caduca el ${minute}`,
  noEnd: 'sin caducidad',
  soon: 'Caduca pronto',
  endsTag: (day: string) => `Un secreto caduca el ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'El secreto «',
    name,
    `» caduca el ${minute}. Añade otro antes y pasa tus servidores a él, o sus solicitudes se rechazarán.`,
  ],
  safe: 'Se puede retirar',
  unusedSince: (day: string) => `Sin usar desde el ${day}`,
  neverUsedSince: (day: string) => `Nunca usado desde que se añadió el ${day}`,
  usedSince: (uses: number, day: string) => `usado ${times(uses)} desde el ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, mientras que «`,
    other,
    `» está en uso: ${used}. Un servidor que pida tokens menos de una vez por semana podría necesitar aún este.`,
  ],
  rename: 'Cambiar el nombre',
  saveName: 'Guardar el nombre',
  renamed: 'El secreto tiene ahora otro nombre.',
  renameGone: 'Este secreto ha caducado mientras tanto. Su nombre queda como estaba.',
  retire: 'Retirar',
  retireText:
    'Las solicitudes con este secreto fallan de inmediato y se revocan todos los tokens de acceso de la aplicación. No se puede deshacer.',
  retireNow: 'Retirar este secreto',
  nowLast: 'Ahora es el único secreto activo, así que no se retiró. Confírmalo otra vez para retirarlo.',
  last: 'Es el único secreto activo. Si lo retiras, la aplicación no obtiene más tokens hasta que añadas otro.',
  enough: (most: number) => `El máximo son ${String(most)} secretos. Retira uno antes de añadir otro.`,
  ended: (number: number) =>
    counted(number, {
      one: () => 'Un secreto ha caducado',
      other: (ended) => `${ended} secretos han caducado`,
    }),
  endedText:
    'Durante 30 días tras su caducidad, «Por qué fallaron las solicitudes» nombra un secreto que aún se envía.',
  endedOn: (minute: string) => `caducó el ${minute}`,
  manage: 'Gestionar las credenciales',
  addTitle: 'Añadir un secreto',
  add: 'Añadir un secreto',
  name: 'Nombre del secreto',
  nameHint: (called: string) => `Por ejemplo, el servidor que lo usará. Si lo dejas vacío, se llama «${called}».`,
  lifetime: 'Es válido',
  lifetimes: {
    never: 'sin caducidad',
    '90-days': 'durante 90 días',
    '1-year': 'durante un año',
    date: 'hasta un día que elijas',
  },
  lastDay: 'Último día',
  lastDayHint: 'Es válido hasta el final de ese día, UTC.',
  lastDayOptional: 'para «hasta un día que elijas»',
  errors: {
    nameTooLong: 'El nombre del secreto puede tener 60 caracteres como máximo.',
    nameUnprintable: 'El nombre del secreto contiene un carácter que no se puede mostrar.',
    lifetimeUnknown: 'Elige cuánto tiempo es válido el secreto.',
    dayMissing: 'Escribe el último día del secreto.',
    dayMalformed: 'Escribe un día como 2027-02-28.',
    dayPast: 'Ese día ya ha pasado. Escribe uno futuro.',
    dayTooFar: 'Un secreto caduca en diez años como máximo, o nunca. Escribe un día anterior.',
  },
};
