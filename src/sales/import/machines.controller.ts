import { Body, Controller, Get, Put } from '@nestjs/common';
import { CurrentUser, type Principal } from '../../auth/current-user.decorator.js';
import { ApiOperation, ApiResponses, ApiTags } from '../../http/openapi/openapi.decorator.js';
import { MachinesDto } from './dto/machines.dto.js';
import { MachinesService } from './machines.service.js';

@ApiTags('Sales')
@Controller('api/v1/sales/machines')
export class MachinesController {
  constructor(private readonly machines: MachinesService) {}

  @Get()
  @ApiOperation({
    summary: 'List which machine is which restaurant',
    description: 'As the caller has chosen for files that name machines.',
  })
  @ApiResponses(MachinesDto, 401)
  async listMachines(@CurrentUser() { userId }: Principal): Promise<MachinesDto> {
    return { machines: await this.machines.list(userId) };
  }

  @Put()
  @ApiOperation({
    summary: 'Choose which machine is which restaurant',
    description: "Replaces the caller's list; machines that are not in it are forgotten. Uploads check the restaurant.",
  })
  @ApiResponses(MachinesDto, 401)
  async replaceMachines(@CurrentUser() { userId }: Principal, @Body() { machines }: MachinesDto): Promise<MachinesDto> {
    return { machines: await this.machines.replace(userId, machines) };
  }
}
