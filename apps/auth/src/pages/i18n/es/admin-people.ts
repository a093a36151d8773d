import { countingIn } from '../counted.ts';
import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('es');

export const people: Messages['admin']['people'] = {
  title: 'Personas',
  field: 'Buscar una persona',
  hint: 'Un identificador, el comienzo de un nombre de usuario o de una dirección de correo, o una parte del nombre.',
  states: { active: 'Activa', limited: 'Limitada', suspended: 'Suspendida', deleted: 'Eliminada' },
  operator: 'Administrador',
  unconfirmed: 'Dirección sin confirmar',
  registered: (day) => `registro: ${day}`,
  anyState: 'Cualquiera',
  fields: { domain: 'Dominio de correo', network: 'Red', since: 'Registro desde', state: 'Estado' },
  hints: {
    domain: 'Con sus subdominios, por ejemplo bad.example.',
    network: 'Vista en el registro de auditoría, por ejemplo 192.0.2.0/24.',
  },
  errors: {
    domain: 'Escribe un dominio como bad.example.',
    network: 'Escribe una red como 192.0.2.0/24 o 2001:db8::/32 (al menos /8 o /16).',
  },
  bulk: {
    intro: 'Elige personas y una acción. La página siguiente muestra a quién afecta y pide el motivo.',
    all: 'Elegir a todos en esta página',
    none: 'Elige al menos una persona.',
    chosen: (count) =>
      counted(count, { one: (number) => `${number} cuenta elegida`, other: (number) => `${number} cuentas elegidas` }),
    leftOut: (count) =>
      counted(count, {
        one: (number) => `${number} cuenta excluida`,
        other: (number) => `${number} cuentas excluidas`,
      }),
    leftOutText: 'Administradores, y cuentas cuyo estado no lo permite.',
    changedSince:
      'Las cuentas de abajo han cambiado mientras tanto, así que no se les ha hecho nada. Las demás están hechas.',
    back: 'Volver a todas las personas',
    done: {
      limit: 'Las cuentas están limitadas.',
      unlimit: 'Las cuentas ya no están limitadas.',
      suspend: 'Las cuentas están suspendidas.',
      restore: 'Las cuentas están activas de nuevo.',
      delete: 'Las cuentas están eliminadas.',
    },
  },
};

export const person: Messages['admin']['person'] = {
  facts: {
    id: 'Identificador',
    email: 'Correo electrónico',
    state: 'Estado',
    registered: 'Registro',
    invitedBy: 'Con invitación de',
    invited: 'Personas invitadas',
    factors: 'Autenticación de dos factores',
    posts: 'Publicaciones y seguidores',
    applications: 'Aplicaciones',
    limitReason: 'Motivo de la limitación',
    suspensionReason: 'Motivo que ve la persona',
    appeal: 'Recurso',
  },
  confirmed: 'confirmada',
  unconfirmed: 'sin confirmar',
  by: (username) => `por ${username}`,
  limitedSince: (day) => `limitada desde el ${day}`,
  suspendedSince: (day) => `suspendida desde el ${day}`,
  deletedSince: (day) => `eliminada el ${day}; se puede restaurar durante 14 días`,
  protected: 'protegida',
  noFactors: 'ninguno',
  passkeys: (count) => (count === 1 ? '1 llave de acceso' : `${String(count)} llaves de acceso`),
  authenticator: 'aplicación de autenticación',
  postsAndFollowers: (posts, followers) =>
    [
      counted(posts, { one: (count) => `${count} publicación`, other: (count) => `${count} publicaciones` }),
      counted(followers, { one: (count) => `${count} seguidor`, other: (count) => `${count} seguidores` }),
    ].join(', '),
  sessions: 'Sesiones',
  noSessions: 'No ha iniciado sesión en ningún sitio.',
  grants: 'Aplicaciones conectadas',
  noGrants: 'Ninguna aplicación conectada.',
  acts: 'Acciones',
  isOperator: (command): RichText => [
    'Esta cuenta es de un administrador. Solo el comando puede cambiarla, después de ',
    command,
    '.',
  ],
  accessTexts: {
    'end-session': {
      label: 'Cerrar esta sesión',
      text: 'Cierra la sesión de la persona en este navegador. Las aplicaciones conectadas conservan su acceso.',
      submit: 'Cerrar la sesión',
      done: 'La sesión se ha cerrado.',
    },
    'end-grant': {
      label: 'Desconectar esta aplicación',
      text: 'Revoca el acceso de esta aplicación a la cuenta, con sus tokens. La persona puede conectarla de nuevo.',
      submit: 'Desconectar aplicación',
      done: 'La aplicación está desconectada.',
    },
  },
  actTexts: {
    suspend: {
      label: 'Suspender',
      text: 'Impide iniciar sesión, cierra todas las sesiones y revoca todos los tokens en un segundo. Nadie más ve la cuenta ni sus publicaciones hasta que se recupere.',
      submit: 'Suspender la cuenta',
      done: 'La cuenta está suspendida.',
    },
    limit: {
      label: 'Limitar',
      text: 'Solo los seguidores encuentran las publicaciones; los demás las ven en su dirección. La búsqueda, la cronología pública, las tendencias, los hashtags y las sugerencias las omiten, y solo los seguidores reciben notificaciones. No se informa a la persona.',
      submit: 'Limitar la cuenta',
      done: 'La cuenta está limitada.',
    },
    unlimit: {
      label: 'Levantar la limitación',
      text: 'Muestra de nuevo las publicaciones en todas partes.',
      submit: 'Levantar la limitación',
      done: 'La cuenta ya no está limitada.',
    },
    restore: {
      label: 'Restaurar',
      text: 'Levanta una suspensión o deshace una eliminación. Las sesiones siguen cerradas y los tokens, revocados.',
      submit: 'Restaurar la cuenta',
      done: 'La cuenta está activa de nuevo.',
    },
    delete: {
      label: 'Eliminar',
      text: 'Oculta la cuenta, cierra todas las sesiones y revoca todos los tokens, como si la persona la hubiera eliminado. Se puede restaurar durante 14 días; después se borran sus datos.',
      submit: 'Eliminar la cuenta',
      done: 'La cuenta está eliminada.',
    },
    verify: {
      label: 'Verificar',
      text: 'Muestra la insignia de verificación hasta que cambie el nombre o el nombre de usuario. Comprueba antes quién es la persona.',
      submit: 'Marcar como verificada',
      done: 'La cuenta está verificada.',
    },
    unverify: {
      label: 'Quitar la insignia',
      text: 'Quita la insignia de verificación.',
      submit: 'Quitar la verificación',
      done: 'La cuenta ya no está verificada.',
    },
    'end-access': {
      label: 'Revocar todos los accesos',
      text: 'Cierra la sesión de la persona en todas partes y desconecta todas las aplicaciones. Puede volver a iniciar sesión.',
      submit: 'Cerrar sesiones y revocar tokens',
      done: 'Se han cerrado todas las sesiones y revocado todos los tokens.',
    },
    'resend-confirmation': {
      label: 'Reenviar el correo de confirmación',
      text: 'Envía otro enlace que confirma la dirección de correo.',
      submit: 'Enviar el enlace otra vez',
      done: 'El enlace se enviará en un momento.',
    },
    'reset-factors': {
      label: 'Restablecer la autenticación de dos factores',
      text: 'Elimina todas las llaves de acceso, la aplicación de autenticación y los códigos de recuperación, cierra todas las sesiones y revoca todos los tokens. Después basta la contraseña para iniciar sesión, y la persona recibe un correo. Comprueba que de verdad es ella quien lo pide.',
      submit: 'Restablecer la autenticación de dos factores',
      done: 'La autenticación de dos factores se ha restablecido.',
    },
  },
};
