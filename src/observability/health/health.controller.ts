import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/public.decorator.js';
import { ReadinessService } from './readiness.service.js';

interface Health {
  readonly status: 'ok';
}

/** For load balancers and whatever restarts processes; answered also where other requests are refused for overload. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process runs and takes turns. Says nothing of the database: restarting us would not bring it back. */
  @Get('live')
  live(): Health {
    return { status: 'ok' };
  }

  /** The database answers and has the tables of this release, and no shutdown has begun; otherwise 503. */
  @Get('ready')
  async ready(): Promise<Health> {
    await this.readiness.assertReady();
    return { status: 'ok' };
  }
}
