/** Texts of definitions within the Markdown of a document. */

/** A text in which HTML is shown, and does nothing. */
export const withoutHtml = (text: string): string => text.replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;');
