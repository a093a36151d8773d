import { countingIn } from '../counted.ts';
import type { Messages } from '../en/en.ts';
import { overview } from './admin-overview.ts';
import { people, person } from './admin-people.ts';

const counted = countingIn('es');

export const admin: Messages['admin'] = {
  pages: {
    overview: 'Resumen',
    reports: 'Denuncias',
    registrations: 'Registros',
    blocks: 'Bloqueos',
    people: 'Personas',
    applications: 'Aplicaciones',
    audit: 'Registro de auditoría',
  },
  overview,
  factors: {
    title: 'Falta la autenticación de dos factores',
    none: 'Los administradores necesitan una llave de acceso o una aplicación de autenticación. Añade una y pide que te concedan el rol de nuevo.',
    new: 'Has añadido una llave de acceso o una aplicación de autenticación después de recibir el rol. Para que cuente, pide que te concedan el rol de nuevo.',
    command: 'Se hace en el servidor con:',
    add: 'Llaves de acceso y aplicación de autenticación',
  },
  search: { submit: 'Buscar', none: 'No se ha encontrado nada.', next: 'Página siguiente' },
  reason: {
    label: 'Motivo',
    hint: 'Queda para siempre en el registro de auditoría. No escribas nombres ni direcciones.',
    errors: {
      missing: 'Escribe un motivo.',
      'too-long': 'El motivo puede tener como máximo 200 caracteres.',
      personal: 'No escribas direcciones ni nombres de usuario: el motivo no puede contener @.',
      'shown-too-long': 'El motivo para la persona no puede tener más de 500 caracteres.',
      unprintable: 'El motivo contiene un carácter que no se puede mostrar. Elimínalo.',
    },
  },
  shownReason: {
    label: 'Motivo para la persona',
    hint: 'La persona lo recibe por correo y lo ve después de iniciar sesión. Hasta 500 caracteres.',
  },
  changedSince: 'Algo ha cambiado mientras tanto, así que no se ha hecho nada. Revisa la página e inténtalo de nuevo.',
  events: {
    title: 'Eventos recientes',
    none: 'No hay eventos guardados.',
    operator: (id) => `administrador ${id}`,
    reason: (reason) => `motivo: ${reason}`,
    address: (address) => `desde ${address}`,
    actors: {
      person: 'persona',
      application: 'aplicación',
      operator: 'administrador',
      service: 'servicio',
      unknown: 'desconocido',
    },
  },
  registrations: {
    title: 'Registros',
    none: 'Ningún registro espera una decisión. Aquí aparecen los que necesitan aprobación.',
    intro: 'Elige personas, escribe un motivo y decide. Reciben un correo, sin el motivo.',
    page: 'página de registro',
    approve: 'Aceptar',
    refuse: 'Rechazar',
    noneChosen: 'Elige al menos una persona.',
    done: {
      approved: 'Las cuentas ya existen.',
      refused: 'Los registros se han rechazado y borrado.',
      taken:
        'Algunos no se han podido aceptar, porque su dirección o su nombre pertenece ahora a una cuenta. Recházalos.',
    },
  },
  blocks: {
    title: 'Bloqueos',
    intro: 'Bloqueos de registros. De varios, cuenta el más estricto. Nadie lee cuál fue.',
    listTitle: 'Todos los bloqueos',
    find: 'Buscar bloqueos',
    findHint: 'Una parte de un dominio, de una red o de una palabra.',
    none: 'No hay bloqueos.',
    kinds: {
      mail_domain: 'Dominio de correo',
      mail_server: 'Servidor de correo de varios dominios',
      network: 'Red',
      word: 'Palabra en un nombre',
    },
    acts: { refuse: 'Rechazar el registro', approve: 'Un administrador decide', mark: 'Solo marcar la cuenta' },
    fields: { kind: 'Tipo', value: 'Dominio, red o palabra', act: 'Efecto', until: 'Termina el', note: 'Nota' },
    hints: {
      value:
        'Por ejemplo bad.example, 192.0.2.0/24 o 2001:db8::/32. Vale también para subdominios y partes de nombres.',
      until: 'Al comienzo de este día (UTC).',
      note: 'Para administradores. Sin nombres ni direcciones de personas.',
    },
    errors: {
      kind: 'Elige un tipo.',
      value: 'Escribe un dominio, una red (al menos /8, o /16 para IPv6) o una palabra de 2 a 100 caracteres.',
      act: 'Elige un efecto.',
      until: 'Escribe una fecha.',
      note: 'La nota debe tener como máximo 200 caracteres en una línea.',
    },
    add: 'Añadir un bloqueo',
    remove: 'Quitar bloqueos',
    noneChosen: 'Elige al menos un bloqueo.',
    until: (time) => `hasta ${time}`,
    ended: (time) => `terminado desde el ${time}`,
    matched: (kind) => `Coincide con un bloqueo: ${kind}`,
    noProof: 'Sin prueba de cálculo',
    limitedInviter: 'Invitación de una cuenta limitada',
    done: { added: 'El bloqueo está en vigor.', removed: 'Los bloqueos se han quitado.' },
  },
  applications: {
    title: 'Aplicaciones',
    field: 'Buscar una aplicación',
    hint: 'El comienzo de un ID de cliente o del nombre de usuario de su propietario, o una parte del nombre.',
    noOwner: 'sin propietario',
    facts: {
      owner: 'Propietario',
      type: 'Tipo',
      scopes: 'Permisos',
      uris: 'URI de redirección',
      people: 'Personas',
      week: 'Últimos 7 días',
      used: 'Último uso',
    },
    week: (tokens, calls) => `${tokens} tokens, ${calls} solicitudes a la API`,
    never: 'nunca',
    actTexts: {
      suspend: {
        label: 'Suspender',
        text: 'Revoca sus tokens en un segundo. No recibe otros y nadie puede autorizarla.',
        submit: 'Suspender la aplicación',
        done: 'La aplicación está suspendida.',
      },
      restore: {
        label: 'Restaurar',
        text: 'Levanta la suspensión. Sus tokens siguen revocados.',
        submit: 'Restaurar la aplicación',
        done: 'La aplicación está activa de nuevo.',
      },
      verify: {
        label: 'Verificar',
        text: 'La marca como verificada hasta que cambie su nombre, logotipo, sitio web o propietario. Comprueba antes que el propietario es quien dice el nombre.',
        submit: 'Marcar como verificada',
        done: 'La aplicación está verificada.',
      },
      unverify: {
        label: 'Quitar la marca',
        text: 'Quita la marca de verificación.',
        submit: 'Quitar la verificación',
        done: 'La aplicación ya no está verificada.',
      },
      'end-access': {
        label: 'Revocar todos los accesos',
        text: 'Revoca todos sus tokens y la desconecta de todas las personas. Se puede autorizar de nuevo.',
        submit: 'Revocar tokens y conexiones',
        done: 'Se han revocado todos los tokens y las conexiones.',
      },
    },
    bulk: {
      intro: 'Elige aplicaciones y una acción. La página siguiente muestra a cuáles afecta y pide el motivo.',
      all: 'Elegir todas en esta página',
      none: 'Elige al menos una aplicación.',
      chosen: (count) =>
        counted(count, {
          one: (number) => `${number} aplicación elegida`,
          other: (number) => `${number} aplicaciones elegidas`,
        }),
      leftOut: (count) =>
        counted(count, {
          one: (number) => `${number} aplicación excluida`,
          other: (number) => `${number} aplicaciones excluidas`,
        }),
      leftOutText: 'Aplicaciones cuyo estado no lo permite.',
      changedSince:
        'Las aplicaciones de abajo han cambiado mientras tanto, así que no se les ha hecho nada. Las demás están hechas.',
      back: 'Volver a todas las aplicaciones',
      done: {
        suspend: 'Las aplicaciones están suspendidas.',
        restore: 'Las aplicaciones están activas de nuevo.',
        'end-access': 'Se han revocado todos los tokens y las conexiones de las aplicaciones.',
      },
    },
  },
  audit: {
    title: 'Registro de auditoría',
    intro: 'Lo que pasó con cuentas, aplicaciones y claves, lo más reciente primero.',
    moreFilters: 'Más filtros',
    results: 'Eventos',
    fields: {
      event: 'Evento',
      actor: 'Quién actuó',
      account: 'Cuenta',
      operator: 'Administrador',
      client: 'ID de cliente',
      from: 'Desde',
      to: 'Hasta',
    },
    hints: {
      event: 'Por ejemplo, account.suspended.',
      account: 'Nombre de usuario o identificador de la cuenta a la que se refiere el evento.',
      operator: 'Nombre de usuario o identificador del administrador que actuó en estas páginas.',
      day: 'Un día en UTC.',
    },
    anyActor: 'Cualquiera',
    errors: {
      account: 'No hay ninguna cuenta con este nombre de usuario o identificador.',
      day: 'Escribe un día, como 2026-11-23.',
    },
    continued: 'Ninguno de los eventos leídos coincide. La página siguiente sigue con los anteriores.',
  },
  people,
  person,
};
