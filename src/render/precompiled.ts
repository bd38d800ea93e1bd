/**
 * Templates compiled ahead: the build fills this table for all in `templates/`, for compiling
 * them takes longer than all else that makes a service. By the SHA-256 of the text, so that a
 * template that was changed since is never mistaken for what it was.
 */
export const precompiled: Readonly<Record<string, TemplateSpecification>> = {};
