/** Stands at the head of everything that is exported. */
export const exportNotice =
  'This file holds what was said in a chat and what its tools read and put out. That can include secrets and personal data: read it before you share it.';
