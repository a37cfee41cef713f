import { IntegerField, MAX_INTEGER, NameField } from '../../../http/validation/fields.decorator.js';
import { ListField } from '../../../http/validation/list-field.decorator.js';

export class MachineDto {
  @NameField({ max: 40, description: 'As the file of the till names it', example: '4012345' })
  readonly machine!: string;

  @IntegerField({ min: 1, max: MAX_INTEGER, description: 'Identifier of the restaurant', example: 101 })
  readonly restaurant_id!: number;
}

/** All machines that a user has assigned to restaurants. */
export class MachinesDto {
  @ListField(() => MachineDto, { min: 0, max: 200, uniqueBy: 'machine', description: 'In the order that was sent' })
  readonly machines!: readonly MachineDto[];
}
