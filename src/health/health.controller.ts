import { Controller, Get } from '@nestjs/common';
import { Literal } from '../http/validation/fields.decorator.js';
import { Answers, Summary } from '../http/openapi/openapi.decorator.js';
import { Public } from '../http/public.decorator.js';
import { ReadinessService } from './readiness.service.js';

class Health {
  @Literal('ok') readonly status!: 'ok';
}

/** For load balancers and whatever restarts processes; answered also where other requests are refused for overload. */
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Says nothing of the database: restarting us would not bring it back. */
  @Get('live')
  @Summary('The process runs and takes turns')
  @Answers(Health)
  live(): Health {
    return { status: 'ok' };
  }

  @Get('ready')
  @Summary('The database answers and has the tables of this release, and no shutdown has begun')
  @Answers(Health, 503)
  async ready(): Promise<Health> {
    await this.readiness.assertReady();
    return { status: 'ok' };
  }
}
