import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { Public } from '../http/public.decorator.js';
import { Probe } from '../http/requests/probe.decorator.js';
import { EnumField } from '../http/validation/fields.decorator.js';
import { ReadinessService } from './readiness.service.js';

class Health {
  @EnumField(['ok'], { example: 'ok' }) readonly status!: 'ok';
}

/** Serves health checks, which are exempt from the limits of overload. */
@Public()
@Probe()
@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Says that the process runs. It leaves out the database, as a restart would not fix that. */
  @Get('live')
  @ApiOperation({ operationId: 'getLiveness', summary: 'Whether the process runs' })
  @ApiResponses(Health)
  live(): Health {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether the service can work',
    description:
      'The database responds, can be written and has the tables of this release; its clock and ' +
      "this machine's agree; no shutdown has begun.",
  })
  @ApiResponses(Health)
  async ready(): Promise<Health> {
    await this.readiness.assertReady();
    return { status: 'ok' };
  }
}
