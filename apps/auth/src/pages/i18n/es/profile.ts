import type { RichText } from '../rich-text.ts';

/** Texts of the profile page, in Spanish. */
export const profile = {
  title: 'Perfil',
  intro: 'Todo el mundo puede ver estos datos, en las aplicaciones y en tu página pública.',
  about: 'Sobre ti',
  photo: 'Foto',
  photoYours: 'Tu foto',
  photoDrawn: 'Un dibujo que te representa',
  photoField: 'Foto nueva',
  photoHint: 'PNG o JPEG, de 10 MB y 40 megapíxeles como máximo. Se eliminan el lugar y la fecha de la toma.',
  photoSubmit: 'Usar esta foto',
  photoRemove: 'Quitar la foto',
  photoErrors: {
    missing: 'Elige primero un archivo.',
    tooLong: 'El archivo supera los 10 MB. Elige uno más pequeño.',
    throttled: 'Has subido demasiadas imágenes. Vuelve a intentarlo dentro de una hora.',
    busy: 'Se están procesando muchas imágenes. Vuelve a intentarlo dentro de un momento.',
    unavailable: 'Ahora mismo no se pueden guardar imágenes. Vuelve a intentarlo en un momento.',
    full: 'No se pudo guardar la imagen. Vuelve a intentarlo más tarde.',
  },
  fields: {
    displayName: 'Nombre visible',
    first_name: 'Nombre',
    last_name: 'Apellidos',
    description: 'Descripción',
    country: 'País',
    language: 'Idioma',
  },
  hints: {
    displayName: '56 caracteres como máximo.',
    description: '400 caracteres como máximo.',
    language: 'Un código de idioma, por ejemplo es o es-MX.',
  },
  errors: {
    missing: {
      displayName: 'Escribe un nombre visible.',
      first_name: 'Escribe tu nombre.',
      last_name: 'Escribe tus apellidos.',
    },
    wrong: {
      displayName: 'El nombre visible supera los 56 caracteres.',
      first_name: 'El nombre supera los 25 caracteres.',
      last_name: 'Los apellidos superan los 30 caracteres.',
      description: 'La descripción supera los 400 caracteres.',
      country: 'El país supera los 100 caracteres.',
      language: 'Esto no es un código de idioma. Escribe, por ejemplo, es, en o pt-BR.',
    },
  },
  submit: 'Guardar perfil',
  done: {
    saved: 'El perfil se ha guardado.',
    'photo-changed': 'La foto se ha cambiado.',
    'photo-removed': 'La foto se ha quitado.',
  },
};

/** Texts of the username page, in Spanish. */
export const username = {
  title: 'Nombre de usuario',
  intro: (name: RichText): RichText => ['Eres ', name, '.'],
  field: 'Nuevo nombre de usuario',
  hint: 'De 5 a 32 letras (a a z), cifras y guiones bajos. Las mayúsculas se ven, pero cuentan como el mismo nombre.',
  submit: 'Cambiar nombre de usuario',
  check: 'Comprobar si está libre',
  changed: 'El nombre de usuario se ha cambiado.',
  free: (name: RichText): RichText => [name, ' está libre.'],
  consequences: 'Qué supone un cambio',
  oldAddress: (address: RichText): RichText => [
    'Los enlaces a ',
    address,
    ' llevan a tu nueva página mientras el nombre siga reservado para ti.',
  ],
  oldName:
    'Durante 30 días nadie más puede tomar tu antiguo nombre, y tú puedes volver a él. Después, cualquiera puede tomarlo.',
  limit:
    'Se reservan para ti diez nombres antiguos a la vez como máximo. A partir de ahí, solo puedes volver a uno de ellos.',
  mentions: 'Lo que otras personas escribieron a tu antiguo nombre queda como lo escribieron.',
  errors: {
    malformed: 'Un nombre de usuario tiene de 5 a 32 letras (a a z), cifras o guiones bajos.',
    taken: 'Este nombre de usuario ya está ocupado.',
    tooMany: (day: string) =>
      `Ya hay diez nombres antiguos reservados para ti. Puedes tomar uno nuevo a partir del ${day}, o volver a uno antiguo.`,
  },
};
