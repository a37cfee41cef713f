import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '../../http/validation/fields.decorator.js';

export class Session {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0b5bd5cf-5e3a-4c43-9c3c-0c8a8a1c7d59' })
  readonly id!: string;
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-28T09:00:00.000Z' })
  readonly since!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'Where it began',
    example: '192.0.2.1',
  })
  readonly address!: string | null;

  @BooleanField({ description: 'Whether it is that of the presented token', example: true })
  readonly current!: boolean;
}

export class SessionsResponse {
  @ApiProperty({ type: [Session], description: 'The latest first, at most 100' })
  readonly sessions!: Session[];
}
