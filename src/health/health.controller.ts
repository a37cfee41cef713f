import { Controller, Get } from '@nestjs/common';
import { ConstantField } from '../http/validation/fields.decorator.js';
import { ApiOperation, ApiResponses } from '../http/openapi/openapi.decorator.js';
import { Public } from '../http/public.decorator.js';
import { ReadinessService } from './readiness.service.js';

class Health {
  @ConstantField('ok') readonly status!: 'ok';
}

/** For load balancers and whatever restarts processes; answered also where other requests are refused for overload. */
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Says nothing of the database: restarting us would not bring it back. */
  @Get('live')
  @ApiOperation({ summary: 'The process runs and takes turns' })
  @ApiResponses(Health)
  live(): Health {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'The database answers and has the tables of this release, and no shutdown has begun' })
  @ApiResponses(Health, 503)
  async ready(): Promise<Health> {
    await this.readiness.assertReady();
    return { status: 'ok' };
  }
}
