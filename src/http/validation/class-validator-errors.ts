import type { ValidationError } from '@nestjs/common';
import type { FieldErrors } from './field-errors.js';
import { fieldsOf, type DtoClass } from './field-rule.js';

/** Reports errors under paths (`records[3].hour`); class-validator's texts have only the property, or `listName`. */
export function reportErrors(found: readonly ValidationError[], errors: FieldErrors, parent = '', listName = ''): void {
  for (const { target, property, value, constraints = {}, children = [] } of found) {
    const isEntry = Array.isArray(target) || target instanceof Set;
    const path = isEntry ? `${parent}[${property}]` : [parent, property].filter(Boolean).join('.');
    const name = isEntry ? listName : property;
    const rule = isEntry ? undefined : ruleOf(target, property);
    if (rule && rule.definition.name in constraints) rule.report(path, value, errors);
    if (rule && !rule.definition.passes(value)) continue;
    for (const [constraint, text] of Object.entries(constraints)) {
      if (constraint !== rule?.definition.name)
        errors.add({ path, code: 'invalid', text: () => withPath(text, name, path) });
    }
    reportErrors(children, errors, path, name);
  }
}

function ruleOf(target: object | undefined, property: string) {
  return fieldsOf(target?.constructor as DtoClass).find(({ name }) => name === property)?.rule;
}

function withPath(text: string, name: string, path: string): string {
  if (text.startsWith(`${name} `)) return path + text.slice(name.length);
  if (text.includes(` ${name} `)) return text.replace(` ${name} `, () => ` ${path} `);
  return `${path}: ${text}`;
}
