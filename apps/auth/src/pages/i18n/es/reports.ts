import type { Messages } from '../en/en.ts';
import type { RichText } from '../rich-text.ts';

export const reports: Messages['reports'] = {
  reasons: {
    spam: { label: 'Spam o estafa', text: 'Publicidad no deseada, fraude, enlaces dañinos.' },
    harassment: { label: 'Acoso', text: 'Insultos, divulgación de datos, contactos no deseados.' },
    hate: {
      label: 'Odio',
      text: 'Ataques a personas por su origen, religión, sexo, orientación o discapacidad.',
    },
    violence: { label: 'Violencia', text: 'Amenazas, apología de la violencia, crueldad.' },
    sexual: {
      label: 'Contenido sexual',
      text: 'Imágenes o textos sexuales, también de personas que no dieron su permiso.',
    },
    impersonation: { label: 'Suplantación de identidad', text: 'Se hace pasar por otra persona u organización.' },
    self_harm: { label: 'Suicidio o autolesiones', text: 'Alguien puede estar en peligro, o anima a otros.' },
    illegal: { label: 'Ilegal', text: 'Infringe la ley de otra manera.' },
    other: { label: 'Otra cosa', text: 'Descríbela abajo.' },
  },
  form: {
    titles: {
      account: (name: RichText): RichText => ['Denunciar a ', name],
      post: (name: RichText): RichText => ['Denunciar una publicación de ', name],
      comment: (name: RichText): RichText => ['Denunciar un comentario de ', name],
    },
    pageTitle: 'Denunciar',
    reason: '¿Qué ocurre?',
    reasonHint: 'Elige lo que mejor encaje.',
    text: 'Detalles',
    textHint: '¿Qué debemos saber? Hasta 1000 caracteres.',
    privacy:
      'Los administradores de este servicio ven tu denuncia y tu nombre. La persona denunciada no recibe ningún aviso.',
    danger: 'Si alguien está en peligro inmediato, llama primero a los servicios de emergencia.',
    submit: 'Enviar denuncia',
    done: 'Gracias. Hemos recibido tu denuncia y la revisaremos.',
    limited: 'Has enviado muchas denuncias hoy. Inténtalo de nuevo mañana.',
    errors: { reason: 'Elige qué ocurre.', text: 'Los detalles deben tener 1000 caracteres como máximo.' },
  },
  queue: {
    title: 'Denuncias',
    none: 'No hay denuncias abiertas.',
    orders: { most: 'Más denunciadas', newest: 'Más recientes' },
    subjects: {
      account: (name: RichText): RichText => ['Cuenta ', name],
      post: (name: RichText): RichText => ['Publicación de ', name],
      comment: (name: RichText): RichText => ['Comentario de ', name],
    },
    count: (count: number): string => (count === 1 ? '1 denuncia' : `${String(count)} denuncias`),
    latest: (time: string) => `última denuncia: ${time}`,
    first: 'Primera denuncia',
    last: 'Última denuncia',
    reasons: 'Motivos',
    account: 'Cuenta',
    subject: 'Denunciado',
    gone: 'eliminado mientras tanto',
    show: 'Ver en la página pública',
    content: 'Tal como se denunció',
    contentBefore: 'Contenido de entonces:',
    sent: 'Denuncias',
    sentHint: 'Solo los administradores ven quién denunció.',
    erased: 'cuenta borrada',
    state: 'Estado',
    states: {
      open: 'abierta',
      dismissed: 'descartada',
      deleted: 'resuelta: eliminado',
      suspended: 'resuelta: cuenta suspendida',
    },
    resolve: 'Resolver',
    actTexts: {
      dismissed: {
        label: 'Descartar',
        text: 'Cierra todas las denuncias al respecto. No se cambia ni se elimina nada.',
        submit: 'Descartar denuncias',
        done: 'Las denuncias están descartadas.',
      },
      deleted: {
        label: 'Eliminar',
        text: 'Lo elimina para siempre, como podría hacerlo su autor, y cierra todas las denuncias al respecto.',
        submit: 'Eliminar y cerrar',
        done: 'Está eliminado, y las denuncias están cerradas.',
      },
      suspended: {
        label: 'Suspender la cuenta',
        text: 'Impide iniciar sesión, cierra todas las sesiones, revoca todos los tokens y cierra todas las denuncias al respecto. Nadie más ve la cuenta ni sus publicaciones hasta que se recupere.',
        submit: 'Suspender la cuenta y cerrar',
        done: 'La cuenta está suspendida, y las denuncias están cerradas.',
      },
    },
  },
};
