import { SALES_FIELDS, type SalesField } from './sales-fields.js';

/** A base class without properties; a cast to `new () => Figures<number>` tells the compiler of those added below. */
export const FiguresBase: new () => object = Object;

/** Gives a class a decorated property for each sales field, as if the properties were written in the class. */
export function FigureProperties(decoratorFor: (field: SalesField) => PropertyDecorator): ClassDecorator {
  return ({ prototype }) => {
    for (const field of SALES_FIELDS) decoratorFor(field)(prototype as object, field.name);
  };
}
