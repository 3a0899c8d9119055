// `tender order show`: an order by the service's id for it, or by its merchant's.

import type { Command } from 'commander';
import { administrationCommand, type CommonValues, withExample } from '../administration-command.ts';
import { Complaint } from '../complaint.ts';
import { idOf } from '../option-values.ts';
import { addNoun, tell } from '../verb-command.ts';

export function addOrder(program: Command): void {
  const show = administrationCommand(
    addNoun(program, 'order'),
    'show',
    'show an order and its story, and write into the audit chain who looked',
  )
    .argument('<order>', 'its id; with --merchant, the id the merchant gave it')
    .option('--merchant <login>', 'whose order it is')
    .action((order: string, { merchant, ...values }: CommonValues & { readonly merchant?: string }) => {
      const asked = merchant === undefined ? { orderId: orderIdOf(order) } : { login: merchant, clientOrderId: order };
      return tell('showOrder', values, asked);
    });
  withExample(show, 'tender order show 1042\n  tender order show invoice-1 --merchant shop');
}

function orderIdOf(text: string): number {
  try {
    return idOf(text);
  } catch {
    throw new Complaint("an order's id is a whole number; for the id its merchant gave it, add --merchant <login>");
  }
}
