/** Texts of the page of notifications, in Spanish. */
export const notifications = {
  title: 'Notificaciones',
  intro: 'Elige de qué quieres enterarte. Vale en todas las aplicaciones.',
  legend: 'Avisarme cuando alguien',
  kinds: {
    mention: 'me menciona',
    reply: 'comenta mis publicaciones o comentarios',
    like: 'indica que le gustan mis publicaciones',
    repost: 'comparte mis publicaciones',
    follow: 'me sigue',
    follow_request: 'pide seguirme',
    approved: 'acepta mi solicitud de seguimiento',
  },
  back: 'Lo que desactives se oculta, no se pierde: vuelve en cuanto lo actives de nuevo.',
  save: 'Guardar',
  saved: 'Se ha guardado tu elección.',
};
